package winnow.loadgen.worker;

/// The first eight bytes of a body: who sent it and which of the sender's messages it is. Bodies of
/// less than eight bytes carry none; the size of the message under test is never changed.
///
/// | offset | bytes | field                                               |
/// |--------|-------|-----------------------------------------------------|
/// | 0      | 4     | publisher, from 0, big-endian                       |
/// | 4      | 4     | position in the publisher's ring of messages, from 0 |
final class Stamp {

    static final int BYTES = Long.BYTES;

    private Stamp() {}

    static boolean fits(int bodyBytes) {
        return bodyBytes >= BYTES;
    }

    static long of(int publisher, int position) {
        return (long) publisher << Integer.SIZE | position;
    }

    static int publisher(long stamp) {
        return (int) (stamp >>> Integer.SIZE);
    }

    static int position(long stamp) {
        return (int) stamp;
    }
}
