package io.cleat.csi;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The port to a plugin: one exchange is one request, and what came of it. Used by many threads at once. */
public interface Transport extends AutoCloseable {
    /**
     * What mounts and unmounts: given up while it is under way it would be undone before it is done, and what came of
     * it would stay.
     */
    Set<String> AWAITED = Set.of(
            "NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume", "NodeExpandVolume");

    /**
     * Sends and waits, at most {@code limit}. An interrupt leaves the effect unknown; but of a call that is
     * {@link #AWAITED} it is kept until the call has ended, where the policy says so.
     */
    <Q extends Message, R extends Message> Answer<R> exchange(MethodDescriptor<Q, R> method, Q request, Duration limit)
            throws InterruptedException;

    /**
     * Sends and takes the replies one by one, at most {@code limit} in all; the next one is asked for when
     * {@code taker} has returned.
     *
     * @return whether the replies came to their end; false if the taker ended them
     */
    <Q extends Message, R extends Message> Answer<Boolean> stream(
            MethodDescriptor<Q, R> method, Q request, Duration limit, Taker<R> taker)
            throws BadReply, InterruptedException;

    /** Takes the replies of a stream. */
    interface Taker<R> {
        /** False for no more of them. */
        boolean take(R reply) throws BadReply, InterruptedException;
    }

    @Override
    void close();

    /** What came of one exchange. */
    sealed interface Answer<R> {}

    record Reply<R>(R message) implements Answer<R> {}

    /**
     * @param left whether the request may have left this process
     * @param answered whether the code is the plugin's own, and not made on this side
     * @param timedOut whether the exchange's own limit passed
     */
    record Failure<R>(
            CsiCode code,
            String words,
            boolean left,
            boolean answered,
            boolean timedOut,
            @Nullable Throwable cause) implements Answer<R> {
        /** Whether the plugin surely did nothing in this exchange. */
        boolean isHarmless(Call<?, ?, ?> call) {
            return !left || isRefusal(call);
        }

        /** Whether the same request may simply be sent again. */
        boolean isPassing(Call<?, ?, ?> call) {
            return timedOut
                    || code == CsiCode.UNAVAILABLE
                    || (code == CsiCode.RESOURCE_EXHAUSTED && answered && !isRefusal(call));
        }

        /** Whether the connection broke after the request may have been sent. */
        boolean isBrokenOff() {
            return left && !answered && code == CsiCode.UNAVAILABLE;
        }

        private boolean isRefusal(Call<?, ?, ?> call) {
            return answered && call.isRefusedBy(code);
        }
    }
}
