package io.cleat.sim;

import com.google.protobuf.Message;
import io.cleat.csi.CsiCode;
import io.cleat.csi.Transport;
import io.grpc.MethodDescriptor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** One agent's way to what listens on a socket of its machine. */
final class SimTransport implements Transport {
    private final SimMachine machine;
    private final Path socket;
    private final Scheduler scheduler;
    private final SimProcess caller;
    private boolean isClosed;

    SimTransport(SimMachine machine, Path socket, Scheduler scheduler, SimProcess caller) {
        this.caller = caller;
        this.machine = machine;
        this.socket = socket;
        this.scheduler = scheduler;
    }

    // The reply's type is the method's: the storage makes it so.
    @SuppressWarnings("unchecked")
    @Override
    public <Q extends Message, R extends Message> Answer<R> exchange(
            MethodDescriptor<Q, R> method, Q request, Duration limit) throws InterruptedException {
        if (isClosed) {
            return failure(CsiCode.CANCELLED, "the channel was closed", false, false, false);
        }
        Optional<SimPlugin> plugin = machine.listening(socket);
        if (plugin.isEmpty()) {
            return failure(CsiCode.UNAVAILABLE, "nobody listens", false, false, false);
        }
        SimPlugin.Pending call = plugin.get().begin(String.valueOf(method.getBareMethodName()), request, caller);
        long end = scheduler.nanos() + limit.toNanos();
        Scheduler.Alarm alarm = scheduler.at(end, call.changed::all);
        boolean isInterrupted = false;
        try {
            while (!call.isAnswered() && plugin.get().process.isAlive() && !isClosed && scheduler.nanos() < end) {
                try {
                    call.changed.await();
                } catch (InterruptedException early) {
                    if (!AWAITED.contains(String.valueOf(method.getBareMethodName()))) {
                        throw early;
                    }
                    isInterrupted = true;
                }
            }
        } finally {
            alarm.cancel();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        CsiRefusal refusal = call.refusal;
        if (call.reply != null) {
            return new Reply<>((R) call.reply);
        }
        if (refusal != null) {
            return failure(refusal.code(), String.valueOf(refusal.getMessage()), true, true, false);
        }
        if (!plugin.get().process.isAlive() || isClosed) {
            return failure(CsiCode.UNAVAILABLE, "the connection broke", true, false, false);
        }
        return failure(CsiCode.DEADLINE_EXCEEDED, "no answer in time", true, false, true);
    }

    @Override
    public <Q extends Message, R extends Message> Answer<Boolean> stream(
            MethodDescriptor<Q, R> method, Q request, Duration limit, Taker<R> taker) {
        return failure(CsiCode.UNIMPLEMENTED, "no stream", true, true, false);
    }

    private static <R> Failure<R> failure(
            CsiCode code, String words, boolean left, boolean answered, boolean timedOut) {
        return new Failure<>(code, words, left, answered, timedOut, null);
    }

    @Override
    public void close() {
        isClosed = true;
        machine.listening(socket).ifPresent(SimPlugin::wake);
    }
}
