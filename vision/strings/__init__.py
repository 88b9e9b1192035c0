"""Strings: closed sub-pixel centrelines with width and doubt, traced in a picture by their colour."""

from vision.strings.following import follow
from vision.strings.standing import NOTHING, Standing
from vision.strings.traced import TracedString
from vision.strings.tracing import trace

__all__ = ["NOTHING", "Standing", "TracedString", "follow", "trace"]
