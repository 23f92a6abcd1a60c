package io.cleat.bench;

import java.util.concurrent.CountDownLatch;

/** The least that a JVM can do: says hello, and with an argument then waits to be ended. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println("hello");
        if (args.length > 0) {
            new CountDownLatch(1).await();
        }
    }
}
