package io.cleat.http;

import io.cleat.base.ByteBudget;
import io.cleat.base.Refusal;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Whether there is memory for one more request. It is asked before anything of a request but its head was read, so that
 * what there is no memory for takes none. Any thread.
 */
public final class Admission {
    /**
     * Of the heap, what bodies may take that are read or worked on. What is made of a body may be twenty times as large
     * as what it takes: {@link BodyReader} counts lists and objects for more.
     */
    private static final int SHARE = 32;

    /** Of the heap, what large answers may take that are being written. */
    private static final int ANSWERS_SHARE = 8;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** What tells how things are, and what gives memory back. */
    private static final Set<String> ALWAYS = Set.of("/v1/agent/health", "/v1/metrics", "/v1/system/gc");

    private final BooleanSupplier isHeapFull;
    private final ByteBudget bodies;
    private final ByteBudget answers;

    /**
     * @param isHeapFull whether so little of the heap is left that new work must wait
     * @param bodies what the bodies of all requests share
     * @param answers what all large answers share
     */
    Admission(BooleanSupplier isHeapFull, ByteBudget bodies, ByteBudget answers) {
        this.isHeapFull = isHeapFull;
        this.bodies = bodies;
        this.answers = answers;
    }

    /** For the heap of this process, of which bodies get a fixed share. */
    public static Admission ofHeap(BooleanSupplier isHeapFull, HttpServer.Limits limits, Time time) {
        long heap = Runtime.getRuntime().maxMemory();
        return new Admission(
                isHeapFull,
                new ByteBudget(Math.max(limits.largestBody(), heap / SHARE), time),
                new ByteBudget(heap / ANSWERS_SHARE, time));
    }

    /** What the bodies of all requests share. */
    ByteBudget bodies() {
        return bodies;
    }

    /** What all large answers share. */
    ByteBudget answers() {
        return answers;
    }

    /**
     * Why a request is not taken on now; empty if it is.
     *
     * @param path without its query, as it came
     */
    Optional<Refusal> refuses(String method, String path) {
        return frees(method, path) || !isHeapFull.getAsBoolean()
                ? Optional.empty()
                : Optional.of(new Refusal.Exhausted("the memory of this agent", RETRY_AFTER));
    }

    /** Whether it may be asked though the heap is full: what ends something, and how things are. */
    private static boolean frees(String method, String path) {
        return method.equals("DELETE") || path.endsWith("/stop") || ALWAYS.contains(path);
    }
}
