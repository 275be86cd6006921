"""`vllm serve`: the names that an argument check uses, as in the real package."""
import argparse

from vllm.standin import flags


class ServeSubcommand:
    """The subcommand that starts one rank."""

    name = "serve"

    def subparser_init(self, subparsers) -> argparse.ArgumentParser:
        """Adds `serve` with every flag of the table."""
        parser = subparsers.add_parser(
            self.name,
            help="Launch a local OpenAI-compatible API server to serve LLM completions via HTTP.",
            usage="vllm serve [model_tag] [options]",
        )
        flags.add_flags(parser)
        return parser

    def validate(self, args: argparse.Namespace) -> None:
        """Checks across flags; raises as the real one does."""
        if args.enable_auto_tool_choice and not args.tool_call_parser:
            raise TypeError("Error: --enable-auto-tool-choice requires --tool-call-parser")

    @staticmethod
    def cmd(args: argparse.Namespace) -> None:
        """Runs the rank until it ends the process."""
        # Imported late: an argument check needs none of it.
        from vllm.standin import rank

        if args.model_tag is not None:
            args.model = args.model_tag
        rank.run(args)
