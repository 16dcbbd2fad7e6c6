package org.winnowmq.examples.jta;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import jakarta.transaction.TransactionManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;
import winnow.client.WinnowXAConnectionFactory;

/**
 * A transaction of Narayana over Winnow, by a pool, and a database. The broker may end between the
 * two phases: then recovery commits.
 */
public class NarayanaOrders {
    private static final String NODE = "orders-1";

    public static void main(String[] arguments) throws Exception {
        String url = arguments.length > 0 ? arguments[0] : "winnow://127.0.0.1:61616";
        Outage outage = Outage.of(arguments);
        Orders orders = new Orders(url, "narayana-orders", "narayana-checked");
        orders.place("pen");

        RecoveryManager recovery = configure(Files.createTempDirectory("narayana"), url);
        TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
        JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
        pool.setTransactionManager(manager);
        pool.setConnectionFactory(new WinnowXAConnectionFactory(url));

        Warehouse warehouse = new Warehouse(outage::begin);
        manager.begin();
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            orders.check(session);
            manager.getTransaction().enlistResource(warehouse);
        }
        manager.commit();
        outage.end();

        String result = null;
        for (int attempt = 0; attempt < 60 && result == null; attempt++) {
            recovery.scan();
            result = orders.result();
        }
        System.out.println("received: " + result + ", committed by Narayana");
        orders.requireNoMore();
        if (!"pen".equals(result) || warehouse.commits() != 1) {
            throw new IllegalStateException("commits of the database: " + warehouse.commits());
        }
        pool.stop();
        System.exit(0); // Narayana has threads that would go on.
    }

    /**
     * Sets Narayana's log, and where recovery finds what Winnow has prepared. An application lets
     * recovery run by itself; this one calls it.
     */
    private static RecoveryManager configure(Path log, String url) throws Exception {
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(NODE);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        jtaPropertyManager.getJTAEnvironmentBean().setXaRecoveryNodes(List.of(NODE));
        jtaPropertyManager
                .getJTAEnvironmentBean()
                .setXaResourceOrphanFilters(
                        List.of(
                                new JTATransactionLogXAResourceOrphanFilter(),
                                new JTANodeNameXAResourceOrphanFilter()));
        XARecoveryModule branches = new XARecoveryModule();
        branches.addXAResourceRecoveryHelper(
                new WinnowRecovery(new WinnowXAConnectionFactory(url)));
        recoveryPropertyManager.getRecoveryEnvironmentBean().setRecoveryBackoffPeriod(1);
        recoveryPropertyManager
                .getRecoveryEnvironmentBean()
                .setRecoveryModules(List.of(new AtomicActionRecoveryModule(), branches));
        RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
        return recovery;
    }
}
