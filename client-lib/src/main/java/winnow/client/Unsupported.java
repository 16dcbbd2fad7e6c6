package winnow.client;

/// What the API offers and this version does not, each with what to set or use instead, also in the
/// frameworks that ask for it by default.
enum Unsupported {
    TRANSACTIONS(
            "transacted sessions",
            "use AUTO_ACKNOWLEDGE or CLIENT_ACKNOWLEDGE (Spring Boot:"
                    + " spring.jms.listener.session.transacted=false and"
                    + " spring.jms.template.session.transacted=false; Camel: transacted=false)"),
    QUEUE_CONSUMERS("consumers of queues", Unsupported.TOPIC),
    QUEUE_PRODUCERS("producers for queues", Unsupported.TOPIC),
    QUEUE_BROWSERS("queue browsers", Unsupported.TOPIC),
    SHARED("shared subscriptions", Unsupported.CONSUMER),
    DURABLE("durable subscriptions", Unsupported.CONSUMER),
    SHARED_DURABLE("shared durable subscriptions", Unsupported.CONSUMER),
    TEMPORARY_TOPICS("temporary topics", Unsupported.REPLIES),
    TEMPORARY_QUEUES("temporary queues", Unsupported.REPLIES),
    DELIVERY_DELAY("a delivery delay other than 0", "leave it at 0 and send when it is due"),
    CONNECTION_CONSUMERS("connection consumers", Unsupported.LISTENER),
    SESSION_LISTENERS("message listeners of a session", Unsupported.LISTENER),
    SESSION_RUN("Session.run()", Unsupported.LISTENER);

    private static final String TOPIC =
            "use a topic (Spring: setPubSubDomain(true); Spring Boot:"
                    + " spring.jms.pub-sub-domain=true; Camel: jms:topic:NAME)";
    private static final String CONSUMER =
            "use createConsumer(topic), which gets what is sent while it is open (Spring:"
                    + " subscriptionDurable=false and subscriptionShared=false)";
    private static final String REPLIES =
            "for replies use a topic with a name of your own and the filter"
                    + " NAME?correlationId=ID";
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
