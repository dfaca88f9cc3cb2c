"""Settings of every test."""

import signal

from hypothesis import settings

# A busy machine is no failure, so no test asserts on time.
settings.register_profile("thence", deadline=None)
settings.load_profile("thence")

# A shell that starts the tests in the background has them ignore Ctrl-C, and what they start would
# inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _ended in (signal.SIGHUP, signal.SIGTERM):  # what ignores them, such as nohup, is inherited
    if signal.getsignal(_ended) is signal.SIG_IGN:
        signal.signal(_ended, signal.SIG_DFL)
