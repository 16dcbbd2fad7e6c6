package winnow.tests.crash;

/// What a message is known by.
///
/// @param sender who sends it
/// @param number counts the sender's messages
record MessageKey(int sender, long number) {
    @Override
    public String toString() {
        return sender + "/" + number;
    }
}
