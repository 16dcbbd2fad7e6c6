/// One sender and several receivers that acknowledge what they get, as in the PAWN evaluation: its
/// communication timing (2 and 20 peers, over the size of the message) and its load measurement
/// (all messages at once, with and without queues).
@NullMarked
package winnow.loadgen.peer;

import org.jspecify.annotations.NullMarked;
