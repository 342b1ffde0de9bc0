"""The error tree. Every error that hunet raises on purpose is a `HunetError`; anything else is a bug.

    HunetError
    ├── InvalidValueError       an argument is outside its limits         (also a ValueError)
    │   ├── InvalidKeyError     a key is empty, null or not valid text
    │   ├── MismatchError       two things of different shape or network key were combined
    │   ├── ClockError          a time is negative, not finite, or earlier than one already given
    │   └── ContentError        a schema, a subscription or an event is not what it should be
    ├── MergedFilterError       an insert into a filter that was merged   (also a TypeError)
    ├── AbsentKeyError          a key was removed that is not there       (also a KeyError)
    ├── DecodeError             bytes that are not what they claim to be  (also a ValueError)
    ├── TraceError              a trace, or a file of one, cannot be read, stored or found
    │   └── EmptyTraceError     files were read, and no contact is in them
    ├── WorkloadError           a workload, or a file of one, cannot be read or does not fit its trace
    ├── StudyError              a study file has mistakes
    ├── ReportError             a folder of results cannot be read or shown
    ├── WatchError              what is to be watched cannot be read, or there is nothing to watch
    ├── SweepError              a sweep cannot go on, or what it published cannot be read
    ├── NodeError               a node cannot start or go on: its home, its store, its network
    ├── LinkError               a contact with a peer broke, or the peer did what it must not
    └── SparkError              Spark could not be started or reached, or a job of it failed
        └── JavaError           no Java was found that Spark can run on

A message names the value, the limit and, where it helps, what to do. A call that raises has changed nothing.
"""


class HunetError(Exception):
    """The root: catch this to catch everything that hunet raises on purpose. Its message is one line.

    >>> import hunet as hn
    >>> try:
    ...     hn.generate("confrence")
    ... except hn.HunetError as error:
    ...     print(str(error).partition("?")[0])
    there is no generator 'confrence'; did you mean 'conference'
    """


class InvalidValueError(HunetError, ValueError):
    """An argument is outside its limits."""


class InvalidKeyError(InvalidValueError):
    """A key is empty, null or not valid text."""


class MismatchError(InvalidValueError):
    """Two things were combined that do not go together: of other shape or network key, or for other protocols."""


class ClockError(InvalidValueError):
    """A time is negative, not finite, or earlier than one already given."""


class ContentError(InvalidValueError):
    """A schema, a subscription or an event is not what it should be."""


class MergedFilterError(HunetError, TypeError):
    """An insert into a filter that was merged: insert into a fresh one and merge that."""


class AbsentKeyError(HunetError, KeyError):
    """A key was removed that is not there."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the message in quotes


class DecodeError(HunetError, ValueError):
    """Bytes that are not what they claim to be."""


class TraceError(HunetError):
    """A trace, or a file of one, cannot be read, stored or found."""


class EmptyTraceError(TraceError):
    """Files were read, and no contact is in them, or none is left."""


class WorkloadError(HunetError):
    """A workload, or a file of one, cannot be read or does not fit its trace."""


class StudyError(HunetError):
    """A study file has mistakes; the message lists all of them."""


class ReportError(HunetError):
    """A folder of results cannot be read or shown."""


class WatchError(HunetError):
    """What is to be watched cannot be read, or there is nothing to watch."""


class SweepError(HunetError):
    """A sweep cannot go on, or what it published cannot be read."""


class NodeError(HunetError):
    """A node cannot start or go on: its home, its store or its network is not what it should be."""


class LinkError(HunetError):
    """A contact with a peer is over: it broke, fell silent, or said what it must not."""


class SparkError(HunetError):
    """Spark could not be started or reached, or a job of it failed."""


class JavaError(SparkError):
    """No Java was found that Spark can run on."""
