package winnow.client.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.WinnowConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;
import winnow.client.destination.WinnowQueue;
import winnow.client.destination.WinnowTopic;

// JNDI and its Hashtable are what is tested, and no name leads out of the process.
@SuppressWarnings({"BanJNDI", "JdkObsolete"})
class JndiTest {
    private static Context context(Map<String, String> settings) throws NamingException {
        Map<String, Object> environment = new HashMap<>(settings);
        environment.put(
                Context.INITIAL_CONTEXT_FACTORY, WinnowInitialContextFactory.class.getName());
        return new InitialContext(new Hashtable<>(environment));
    }

    @ParameterizedTest
    @ValueSource(strings = {"connectionFactory.jms/main", "connectionfactory.jms/main"})
    void shouldNameConnectionFactories(String key) throws Exception {
        Context context = context(Map.of(key, "winnow://broker:7000?username=ann"));

        var factory = (WinnowConnectionFactory) context.lookup("jms/main");

        assertThat(factory.getUrl()).isEqualTo("winnow://broker:7000?username=ann");
        assertThat(factory.getUsername()).isEqualTo("ann");
    }

    @Test
    void shouldKeepAListOfHosts() throws Exception {
        // given
        Context context = context(Map.of("connectionFactory.f", "winnow://${none:-a}:7,b,[::1]:8"));
        var factory = (WinnowConnectionFactory) context.lookup("f");
        factory.setStartupMaxReconnectAttempts(5);
        Reference kept = factory.getReference();
        kept.add(new StringRefAddr("randomize", "true"));

        // when
        var made =
                (WinnowConnectionFactory)
                        NamingManager.getObjectInstance(kept, null, null, new Hashtable<>());

        // then
        assertThat(factory.getUrl()).isEqualTo("winnow://a:7,b,[::1]:8");
        assertThat(made).hasToString("WinnowConnectionFactory[winnow://a:7,b:61616,[::1]:8]");
        assertThat(made.getStartupMaxReconnectAttempts()).isEqualTo(5);
        assertThat(made.isRandomize()).isTrue();
    }

    @Test
    void shouldNameDestinations() throws Exception {
        Context context =
                context(Map.of("topic.eu", "prices?correlationId=[#7;#13]", "queue.in", "orders"));

        assertThat(((WinnowTopic) context.lookup("eu")).correlationIdFilter())
                .isEqualTo("[#7;#13]");
        assertThat(((Queue) context.lookup("in")).getQueueName()).isEqualTo("orders");
        assertThat(((Topic) context.lookup("dynamicTopics/a/b")).getTopicName()).isEqualTo("a/b");
        assertThat(((Queue) context.lookup("dynamicQueues/q")).getQueueName()).isEqualTo("q");
        assertThat(context.lookup(new javax.naming.CompositeName("eu")))
                .isEqualTo(context.lookup("eu"));
    }

    @Test
    void shouldHaveOneFactoryWithoutAKey() throws Exception {
        String name = WinnowInitialContextFactory.DEFAULT_FACTORY;
        var configured =
                (WinnowConnectionFactory)
                        context(Map.of(Context.PROVIDER_URL, "winnow://broker:7")).lookup(name);
        var local = (WinnowConnectionFactory) context(Map.of()).lookup(name);

        assertThat(configured.getUrl()).isEqualTo("winnow://broker:7");
        assertThat(local.getUrl()).isEqualTo(WinnowConnectionFactory.DEFAULT_URL);
    }

    @Test
    void shouldTakeUserAndPasswordOfTheEnvironment() throws Exception {
        // given
        Context context =
                context(
                        Map.of(
                                Context.SECURITY_PRINCIPAL,
                                "ann",
                                Context.SECURITY_CREDENTIALS,
                                "${secret}",
                                "connectionFactory.other",
                                "winnow://broker?username=bert&password=his"));

        // when
        var factory =
                (WinnowConnectionFactory)
                        context.lookup(WinnowInitialContextFactory.DEFAULT_FACTORY);
        var other = (WinnowConnectionFactory) context.lookup("other");

        // then
        assertThat(factory.getUsername()).isEqualTo("ann");
        assertThat(factory.getPassword()).isEqualTo("${secret}");
        assertThat(other.getUsername()).isEqualTo("bert");
        assertThat(other.getPassword()).isEqualTo("his");
    }

    @Test
    void shouldExpandVariables() throws Exception {
        String path = System.getenv("PATH");
        System.setProperty("winnow.test.host", "there");
        try {
            Context context =
                    context(
                            Map.of(
                                    "connectionFactory.f",
                                    "winnow://${winnow.test.host}:${winnow.test.none:-77}",
                                    "topic.t",
                                    "${PATH}-${winnow.test.none:-}x"));

            assertThat(((WinnowConnectionFactory) context.lookup("f")).getUrl())
                    .isEqualTo("winnow://there:77");
            assertThat(((Topic) context.lookup("t")).getTopicName()).isEqualTo(path + "-x");
        } finally {
            System.clearProperty("winnow.test.host");
        }
        assertThatThrownBy(() -> context(Map.of("topic.t", "${winnow.test.none}")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "topic.t: expected the environment variable or system property")
                .hasMessageContaining("winnow.test.none");
    }

    @Test
    void shouldSayWhichKeyIsWrongAndShowNoPassword() {
        assertThatThrownBy(() ->
                        context(Map.of("connectionFactory.f", "winnow://h?password=secret&x=1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("connectionFactory.f: ")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> context(Map.of("topic.t", " ")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("topic.t: ");
        assertThatThrownBy(() -> context(Map.of("topic.t", "${open")))
                .hasMessage("topic.t: expected '}' behind '${', found none");
    }

    @Test
    void shouldListNamesAndRefuseChanges() throws Exception {
        Context context = context(Map.of("topic.t", "prices", "unrelated", "x"));
        List<NameClassPair> names = Collections.list(context.list(""));

        assertThat(names)
                .extracting(NameClassPair::getName)
                .containsExactly("ConnectionFactory", "t");
        assertThat(Collections.list(((Context) context.lookup("")).listBindings(""))).hasSize(2);
        assertThatThrownBy(() -> context.lookup("u"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("[ConnectionFactory, t]")
                .hasMessageContaining("'u'");
        assertThatThrownBy(() -> context.bind("u", "x"))
                .isInstanceOf(OperationNotSupportedException.class);
    }

    @Test
    void shouldNotFollowRemoteNames() throws Exception {
        Context context = context(Map.of("topic.t", "ldap://127.0.0.1:1/x"));

        assertThat(context.lookup("t")).isInstanceOf(WinnowTopic.class);
        assertThatThrownBy(() -> context.lookup("remote/x"))
                .isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void shouldMakeAFactoryAgainFromItsReference() throws Exception {
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory("winnow://[::1]:7?clientID=me", "ann", "a+b&c=d ü");
        factory.setPrefetchMessages(5);

        var again =
                (WinnowConnectionFactory)
                        NamingManager.getObjectInstance(factory.getReference(), null, null, null);

        assertThat(again.toString()).isEqualTo(factory.toString());
        assertThat(again.getClientID()).isEqualTo("me");
        assertThat(again.getUsername()).isEqualTo("ann");
        assertThat(again.getPassword()).isEqualTo("a+b&c=d ü");
        assertThat(again.getPrefetchMessages()).isEqualTo(5);
    }

    @Test
    void shouldKeepNoTlsInTheReferenceOfAFactoryWithoutIt() throws Exception {
        WinnowConnectionFactory factory = new WinnowConnectionFactory("winnow://127.0.0.1:7");
        factory.setVerifyHost(true);
        factory.setTrustStore(null);
        factory.setClientID("me");

        var again =
                (WinnowConnectionFactory)
                        NamingManager.getObjectInstance(factory.getReference(), null, null, null);

        assertThat(again.getClientID()).isEqualTo("me");
    }

    @Test
    void shouldMakeDestinationsAgainFromTheirReferences() throws Exception {
        WinnowTopic topic = WinnowTopic.parse("prices?correlationId=[#7;#13]");
        WinnowQueue queue = WinnowQueue.parse("orders");

        assertThat(NamingManager.getObjectInstance(topic.getReference(), null, null, null))
                .isEqualTo(topic);
        assertThat(NamingManager.getObjectInstance(queue.getReference(), null, null, null))
                .isEqualTo(queue);
    }

    @Test
    void shouldTakeTheAttributesOfAContainer() throws Exception {
        Reference reference = new Reference(WinnowConnectionFactory.class.getName());
        reference.add(new StringRefAddr("auth", "Container"));
        reference.add(new StringRefAddr("url", "winnow://broker"));
        reference.add(new StringRefAddr("username", "a b"));
        WinnowObjectFactory objects = new WinnowObjectFactory();

        var factory =
                (WinnowConnectionFactory) objects.getObjectInstance(reference, null, null, null);
        reference.add(new StringRefAddr("colour", "red"));

        assertThat(factory).extracting(WinnowConnectionFactory::getUsername).isEqualTo("a b");
        assertThatThrownBy(() -> objects.getObjectInstance(reference, null, null, null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("option 'colour' is unknown");
        assertThatThrownBy(() ->
                        objects.getObjectInstance(
                                new Reference(WinnowTopic.class.getName()), null, null, null))
                .hasMessageContaining("expected the attribute 'name'");
    }

    @Test
    void shouldKnowFactoriesForTransactionManagers() throws Exception {
        // given
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put("xaConnectionFactory.managed", "winnow://broker?username=a");

        // when
        Object named =
                new WinnowInitialContextFactory().getInitialContext(environment).lookup("managed");
        Object referred =
                NamingManager.getObjectInstance(
                        new WinnowXAConnectionFactory("winnow://h?username=b").getReference(),
                        null,
                        null,
                        null);

        // then
        assertThat(((WinnowXAConnectionFactory) named).getUsername()).isEqualTo("a");
        assertThat(((WinnowXAConnectionFactory) referred).getUsername()).isEqualTo("b");
    }

    @Test
    void shouldMakeNothingElse() throws Exception {
        WinnowObjectFactory objects = new WinnowObjectFactory();
        Reference other = new Reference("java.util.ArrayList", new StringRefAddr("url", "x"));

        assertThat(objects.getObjectInstance(other, null, null, null)).isNull();
        assertThat(objects.getObjectInstance("winnow://h", null, null, null)).isNull();
        assertThat(objects.getObjectInstance(null, null, null, null)).isNull();
    }
}
