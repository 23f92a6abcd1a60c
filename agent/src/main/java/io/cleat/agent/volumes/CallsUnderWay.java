package io.cleat.agent.volumes;

import io.cleat.base.Time;
import io.cleat.model.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Which node calls are at the plugins, so that one that takes long can be told of. Calls about one volume are made one
 * after the other.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class CallsUnderWay {
    /** A call that takes longer is told of. */
    static final Duration LONG = Duration.ofSeconds(5);

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<VolumeId, Consumer<UnderWay>> askers = new LinkedHashMap<>();
    private final Map<VolumeId, Begun> begun = new LinkedHashMap<>();

    /**
     * A call that is at a plugin.
     *
     * @param name such as {@code NodeStageVolume}
     */
    record UnderWay(String pluginId, VolumeId volume, String name, Instant since) {}

    private record Begun(UnderWay call, long at) {}

    CallsUnderWay(Time time) {
        this.time = time;
    }

    /** What ends. */
    interface Open extends AutoCloseable {
        @Override
        void close();
    }

    /** Until it is closed, {@code asker} is told of a call about that volume that takes long. */
    Open asking(VolumeId volume, Consumer<UnderWay> asker) {
        put(askers, volume, asker);
        return () -> remove(askers, volume, asker);
    }

    /** A call is made from now on until this is closed. */
    Open begin(String pluginId, VolumeId volume, String name) {
        Begun call = new Begun(new UnderWay(pluginId, volume, name, time.now()), time.nanos());
        put(begun, volume, call);
        return () -> remove(begun, volume, call);
    }

    /**
     * Those that take long and were not told of, which are told to who asked for them: under the lock, so that nobody
     * is told of a call whose end he has seen.
     */
    List<UnderWay> tell() {
        List<UnderWay> slow = new ArrayList<>();
        lock.lock();
        try {
            long before = time.nanos() - LONG.toNanos();
            for (Begun each : List.copyOf(begun.values())) {
                if (each.at() - before <= 0) {
                    UnderWay call = each.call();
                    begun.remove(call.volume());
                    slow.add(call);
                    Consumer<UnderWay> asker = askers.get(call.volume());
                    if (asker != null) {
                        asker.accept(call);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return slow;
    }

    private <T> void put(Map<VolumeId, T> map, VolumeId volume, T value) {
        lock.lock();
        try {
            map.put(volume, value);
        } finally {
            lock.unlock();
        }
    }

    private <T> void remove(Map<VolumeId, T> map, VolumeId volume, T value) {
        lock.lock();
        try {
            map.remove(volume, value);
        } finally {
            lock.unlock();
        }
    }
}
