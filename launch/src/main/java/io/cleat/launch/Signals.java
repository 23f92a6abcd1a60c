package io.cleat.launch;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SIGTERM and SIGINT: the first ends the program in order, which may take long; the second ends it at once. The JVM
 * itself takes notice of the first only.
 */
final class Signals {
    private static final int BASE = 128;

    private Signals() {}

    /** From now on. Tasks and mounts of a node outlive both. */
    static void endAtOnceOnTheSecond() {
        AtomicBoolean isEnding = new AtomicBoolean();
        try {
            // By reflection: the compiler warns of the type, and no warning is let through.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method number = signal.getMethod("getNumber");
            Object ours = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            end(isEnding, BASE + (int) number.invoke(args[0]));
                        }
                        return null;
                    });
            for (String name : new String[] {"TERM", "INT"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException unavailable) {
            // Then the JVM's own handlers stay: the first signal ends in order.
            return;
        }
    }

    private static void end(AtomicBoolean isEnding, int code) {
        if (isEnding.compareAndSet(false, true)) {
            System.exit(code);
        }
        System.err.println("cleat: ended at once, by a second signal");
        Runtime.getRuntime().halt(code);
    }
}
