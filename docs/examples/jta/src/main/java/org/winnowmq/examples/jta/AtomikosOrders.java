package org.winnowmq.examples.jta;

import com.atomikos.datasource.xa.XATransactionalResource;
import com.atomikos.icatch.config.Configuration;
import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jms.AtomikosConnectionFactoryBean;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import jakarta.transaction.HeuristicMixedException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.transaction.xa.XAResource;
import winnow.client.WinnowXAConnectionFactory;

/**
 * A transaction of Atomikos over Winnow, by Atomikos' own pool, and a database. The broker may end
 * between the two phases: then recovery commits.
 */
public class AtomikosOrders {
    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        Outage outage = Outage.of(arguments);
        Orders orders = new Orders(url, "atomikos-orders", "atomikos-checked");
        orders.place("pen");

        configure(Files.createTempDirectory("atomikos"));
        UserTransactionManager manager = new UserTransactionManager();
        manager.init();
        AtomikosConnectionFactoryBean pool = new AtomikosConnectionFactoryBean();
        pool.setUniqueResourceName("winnow");
        pool.setXaConnectionFactory(new WinnowXAConnectionFactory(url));
        pool.setPoolSize(1);
        pool.init();

        Warehouse warehouse = new Warehouse(outage::begin);
        register(warehouse);
        manager.begin();
        Connection connection = pool.createConnection();
        connection.start();
        Session session = connection.createSession();
        orders.check(session);
        manager.getTransaction().enlistResource(warehouse);
        session.close();
        connection.close();
        try {
            manager.commit();
        } catch (HeuristicMixedException e) {
            System.out.println("not known yet: " + e.getMessage());
        }
        outage.end();

        String result = null;
        for (int attempt = 0; attempt < 120 && result == null; attempt++) {
            result = orders.result();
        }
        System.out.println("received: " + result + ", committed by Atomikos");
        orders.requireNoMore();
        if (!"pen".equals(result) || warehouse.commits() != 1) {
            throw new IllegalStateException("commits of the database: " + warehouse.commits());
        }
        pool.close();
        manager.close();
        System.exit(0);
    }

    /** Tells Atomikos who recovers the other participant, as its beans for databases do. */
    private static void register(Warehouse warehouse) {
        Configuration.addResource(
                new XATransactionalResource("warehouse") {
                    @Override
                    protected XAResource refreshXAConnection() {
                        return warehouse;
                    }
                });
    }

    private static void configure(Path log) {
        System.setProperty("com.atomikos.icatch.tm_unique_name", "orders-1");
        System.setProperty("com.atomikos.icatch.log_base_dir", log.toString());
        System.setProperty("com.atomikos.icatch.recovery_delay", "1000");
        System.setProperty("com.atomikos.icatch.oltp_max_retries", "1");
        System.setProperty("com.atomikos.icatch.oltp_retry_interval", "1000");
    }
}
