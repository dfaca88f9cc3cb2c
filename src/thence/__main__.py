"""``python -m thence``."""

from thence.cli import main

if __name__ == "__main__":
    main()
