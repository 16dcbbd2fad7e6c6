package org.winnowmq.examples.jta;

import java.io.IOException;

/** What happens to the broker in the middle of the work: a command that ends or starts it. */
record Outage(String command) {
    static Outage of(String[] arguments) {
        return new Outage(arguments.length > 1 ? arguments[1] : "true");
    }

    void begin() {
        run("kill");
    }

    void end() {
        run("start");
    }

    private void run(String what) {
        try {
            int code = new ProcessBuilder(command, what).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(command + " " + what + " ended with " + code);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
