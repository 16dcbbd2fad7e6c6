package org.winnowmq.examples.jta;

import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/** Gives Narayana's recovery a connection to Winnow, and a new one when that is lost. */
final class WinnowRecovery implements XAResourceRecoveryHelper {
    private final XAConnectionFactory factory;
    private XAConnection connection;
    private XAResource resource;

    WinnowRecovery(XAConnectionFactory factory) {
        this.factory = factory;
    }

    @Override
    public boolean initialise(String parameters) {
        return true;
    }

    @Override
    public synchronized XAResource[] getXAResources() throws Exception {
        if (!works()) {
            connect();
        }
        return new XAResource[] {resource};
    }

    private boolean works() {
        try {
            if (resource != null) {
                resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            }
            return resource != null;
        } catch (XAException e) {
            return false;
        }
    }

    private void connect() throws JMSException {
        if (connection != null) {
            connection.close();
        }
        resource = null;
        connection = factory.createXAConnection();
        resource = connection.createXASession().getXAResource();
    }
}
