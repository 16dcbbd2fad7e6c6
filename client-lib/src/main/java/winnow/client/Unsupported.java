package winnow.client;

/// What the API offers and this version does not, each with what to use instead.
enum Unsupported {
    CONNECTION_CONSUMERS("connection consumers", Unsupported.LISTENER),
    SESSION_LISTENERS("message listeners of a session", Unsupported.LISTENER),
    SESSION_RUN("Session.run()", Unsupported.LISTENER);

    private static final String LISTENER =
            "use setMessageListener of a consumer (Spring: DefaultMessageListenerContainer)";

    private final String what;
    private final String instead;

    Unsupported(String what, String instead) {
        this.what = what;
        this.instead = instead;
    }

    String what() {
        return what;
    }

    String instead() {
        return instead;
    }
}
