/// The frames of the protocol, one record each. [ControlFrame] is the frame of a connection,
/// [SessionFrame] that of a session; [ControlFrameReader] reads both.
@NullMarked
package winnow.wire.frame;

import org.jspecify.annotations.NullMarked;
