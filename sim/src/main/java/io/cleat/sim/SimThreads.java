package io.cleat.sim;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;

/**
 * The only place that reaches into the JDK, for tests only: virtual threads that an executor of ours carries, and the
 * lock of a condition, so that virtual time can wake who waits on it. The JVM needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util.concurrent.locks=ALL-UNNAMED}.
 */
final class SimThreads {
    private static final String CONDITION = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";

    private final Constructor<?> builder;
    private final Field lockOfCondition;

    SimThreads() {
        try {
            builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            builder.setAccessible(true);
            lockOfCondition = Class.forName(CONDITION).getDeclaredField("this$0");
            lockOfCondition.setAccessible(true);
        } catch (ReflectiveOperationException | RuntimeException changed) {
            throw new IllegalStateException(
                    "this JDK does not let threads be scheduled by a test: " + changed, changed);
        }
    }

    /** A thread that runs only when {@code carrier} runs what it is given. */
    Thread thread(Executor carrier, String name, Runnable body) {
        try {
            Thread.Builder made = (Thread.Builder) builder.newInstance(carrier);
            return made.name(name).unstarted(body);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException(changed);
        }
    }

    /** Wakes all who wait on {@code condition}, taking its lock for that. */
    void signalAll(Condition condition) {
        try {
            AbstractQueuedSynchronizer lock = (AbstractQueuedSynchronizer) lockOfCondition.get(condition);
            lock.acquire(1);
            try {
                condition.signalAll();
            } finally {
                lock.release(1);
            }
        } catch (IllegalAccessException changed) {
            throw new IllegalStateException(changed);
        }
    }
}
