/// The frames of the Winnow protocol and their codec; `docs/PROTOCOL.md` is the specification.
///
/// Reading order: [Protocol] (constants), [FrameType], [FrameSplitter] (bytes of a connection to
/// frames), [winnow.wire.frame.ControlFrame] (the records of everything that is not sent per
/// message), [winnow.wire.frame.Publish] and [winnow.wire.frame.Delivery] (the two frames that
/// are), [MessageBlock] (headers, properties and body, which travel from producer to consumer
/// unchanged), [ErrorCode] and [WireException]. How passwords are proven is in `winnow.wire.scram`,
/// how tokens are sent in `winnow.wire.bearer`.
///
/// ```
///  socket -> FrameSplitter -> FrameSink.onFrame(type, WireReader)
///                                  |-- ControlFrame.decode(type, reader)
///                                  |-- Publish / Delivery, read in place
/// ```
///
/// Nothing here is thread-safe unless it says so; nothing here blocks.
@NullMarked
package winnow.wire;

import org.jspecify.annotations.NullMarked;
