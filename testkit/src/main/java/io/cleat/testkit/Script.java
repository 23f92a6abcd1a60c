package io.cleat.testkit;

import com.google.protobuf.Message;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.GroupControllerGrpc;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What to do with the next calls, and the log of those that came. Guarded by {@code lock}. */
final class Script {
    private static final Set<String> CALLS = new TreeSet<>();

    static {
        for (ServiceDescriptor service : List.of(
                IdentityGrpc.getServiceDescriptor(),
                ControllerGrpc.getServiceDescriptor(),
                NodeGrpc.getServiceDescriptor(),
                GroupControllerGrpc.getServiceDescriptor(),
                SnapshotMetadataGrpc.getServiceDescriptor())) {
            for (MethodDescriptor<?, ?> method : service.getMethods()) {
                CALLS.add(String.valueOf(method.getBareMethodName()));
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final TreeMap<String, ArrayDeque<Behaviour>> next = new TreeMap<>();
    private final List<ReceivedCall> log = new ArrayList<>();
    private final TreeMap<Long, String> inFlight = new TreeMap<>();
    private final TreeMap<String, Integer> mostOfVolume = new TreeMap<>();
    private long received;
    private int most;

    void set(String call, List<Behaviour> behaviours) {
        if (!CALLS.contains(call) || behaviours.isEmpty()) {
            throw new IllegalArgumentException(call + ": expected one of " + CALLS);
        }
        lock.lock();
        try {
            next.put(call, new ArrayDeque<>(behaviours));
        } finally {
            lock.unlock();
        }
    }

    /** A call that came: a number to end it by, and what to do with it. */
    record Turn(long number, Behaviour behaviour) {}

    /** Logs the call and says what to do with it: the last behaviour set for it stays. */
    Turn receive(String call, Message request, String authority) {
        lock.lock();
        try {
            String volume = volumeOf(request);
            log.add(new ReceivedCall(log.size() + 1, call, volume, request, authority));
            inFlight.put(++received, volume);
            most = Math.max(most, inFlight.size());
            int ofVolume = Collections.frequency(inFlight.values(), volume);
            mostOfVolume.merge(volume, ofVolume, Math::max);
            arrived.signalAll();
            ArrayDeque<Behaviour> queue = next.get(call);
            if (queue == null) {
                return new Turn(received, Behaviour.ok());
            }
            return new Turn(received, queue.size() > 1 ? queue.removeFirst() : queue.getFirst());
        } finally {
            lock.unlock();
        }
    }

    void ended(long number) {
        lock.lock();
        try {
            inFlight.remove(number);
        } finally {
            lock.unlock();
        }
    }

    int mostAtOnce() {
        lock.lock();
        try {
            return most;
        } finally {
            lock.unlock();
        }
    }

    int mostAtOnce(String volumeId) {
        lock.lock();
        try {
            return mostOfVolume.getOrDefault(volumeId, 0);
        } finally {
            lock.unlock();
        }
    }

    List<ReceivedCall> log() {
        lock.lock();
        try {
            return List.copyOf(log);
        } finally {
            lock.unlock();
        }
    }

    void clearLog() {
        lock.lock();
        try {
            log.clear();
        } finally {
            lock.unlock();
        }
    }

    List<ReceivedCall> await(String call, int count, Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (true) {
                List<ReceivedCall> found =
                        log.stream().filter(entry -> entry.name().equals(call)).toList();
                if (found.size() >= count) {
                    return found;
                }
                if (left <= 0) {
                    throw new AssertionError("expected " + count + " of " + call + " in " + limit + ", got " + log);
                }
                left = arrived.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private static String volumeOf(Message request) {
        for (String name : List.of("volume_id", "source_volume_id")) {
            var field = request.getDescriptorForType().findFieldByName(name);
            if (field != null) {
                return String.valueOf(request.getField(field));
            }
        }
        return "";
    }
}
