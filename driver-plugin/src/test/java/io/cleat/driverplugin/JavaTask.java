package io.cleat.driverplugin;

import java.util.concurrent.CountDownLatch;

/** A program of the machine, for tasks of the java driver: ends, waits, or takes no SIGTERM. */
final class JavaTask {
    private JavaTask() {}

    public static void main(String[] args) {
        switch (args[0]) {
            case "exit" -> System.exit(Integer.parseInt(args[1]));
            case "deaf" -> Runtime.getRuntime().addShutdownHook(new Thread(JavaTask::waitForEver));
            case "heap" -> System.out.println(Runtime.getRuntime().maxMemory() >> 20);
            default -> {}
        }
        System.out.println(args[0]);
        waitForEver();
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
