"""Rendered tables: true scenes of the three games, and random ones that teach the detector what a printed piece is."""
