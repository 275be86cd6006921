"""A stand-in of vLLM: its command line, boot, API and failures, without a model."""
__version__ = "0.32.0"
