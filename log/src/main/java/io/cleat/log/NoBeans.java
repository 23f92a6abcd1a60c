package io.cleat.log;

import java.lang.reflect.Proxy;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;
import org.jspecify.annotations.Nullable;

/**
 * A server of JMX that forgets what is registered with it. Ratis registers a bean of its own, unasked; with the JDK's
 * server all beans of the JDK would be registered first, for which it reads the help of all diagnostic commands and the
 * settings of the flight recorder: 2 MB of each agent's memory. Who asks the JVM for JMX as it starts (as by
 * {@code com.sun.management.jmxremote.port}) has the JDK's, which is there before a log is opened. Public, because the
 * JDK makes it by its name.
 */
public final class NoBeans extends MBeanServerBuilder {
    /** Names the class that makes servers of JMX ({@link javax.management.MBeanServerFactory}). */
    private static final String BUILDER = "javax.management.builder.initial";

    /** What is made from now on forgets, unless the command line named another maker. */
    static void begin() {
        if (System.getProperty(BUILDER) == null) {
            System.setProperty(BUILDER, NoBeans.class.getName());
        }
    }

    @Override
    public MBeanServer newMBeanServer(String domain, MBeanServer outer, MBeanServerDelegate delegate) {
        return (MBeanServer) Proxy.newProxyInstance(
                NoBeans.class.getClassLoader(),
                new Class<?>[] {MBeanServer.class},
                (server, method, arguments) -> nothing(method.getReturnType()));
    }

    private static @Nullable Object nothing(Class<?> type) {
        return type == boolean.class ? Boolean.FALSE : null;
    }
}
