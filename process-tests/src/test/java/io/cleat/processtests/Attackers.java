package io.cleat.processtests;

import io.cleat.fuzz.requests.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Sends a battery over some connections at once, and looks at each answer: it comes, in time, and owns up to a fault of
 * ours by an id that the log has too.
 */
final class Attackers {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** For what is no request: an agent may rightly wait for the rest of it. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final int THREADS = 3;
    private static final int LONGEST_LINE = 3_000;

    private final Path socket;
    private final Path saved;
    private final BooleanSupplier isAlive;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, String> internal = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
    private final Map<Thread, List<Attack>> sent = new ConcurrentHashMap<>();
    private final AtomicInteger silent = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param saved where a request is left that is too long for a line
     * @param isAlive whether the agent is still the one that began
     */
    Attackers(Path socket, Path saved, BooleanSupplier isAlive) {
        this.socket = socket;
        this.saved = saved;
        this.isAlive = isAlive;
    }

    /** Sends all of them, until the agent ends. */
    void send(List<Attack> attacks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ends.add(threads.submit(() -> {
                    run(attacks);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private void run(List<Attack> attacks) throws IOException {
        Optional<RawConnection> open = Optional.empty();
        try {
            for (int at = next.getAndIncrement();
                    at < attacks.size() && failures.size() < 20;
                    at = next.getAndIncrement()) {
                Attack attack = attacks.get(at);
                sent.merge(Thread.currentThread(), List.of(attack), Attackers::last);
                open = send(attack, open);
                if (open.isEmpty() && !isAlive.getAsBoolean()) {
                    return;
                }
            }
        } finally {
            if (open.isPresent()) {
                open.get().close();
            }
        }
    }

    private static List<Attack> last(List<Attack> before, List<Attack> one) {
        return List.of(before.getLast(), one.getFirst());
    }

    /** The connection, if it can be used again. */
    private Optional<RawConnection> send(Attack attack, Optional<RawConnection> kept) throws IOException {
        long begin = System.nanoTime();
        RawConnection connection;
        try {
            connection = kept.isPresent() ? kept.get() : new RawConnection(socket);
        } catch (IOException refused) {
            failures.add("cannot connect: " + refused + "\n  " + line(attack));
            return Optional.empty();
        }
        boolean goesOn = false;
        try {
            goesOn = exchange(attack, connection);
        } catch (RawConnection.Late late) {
            if (attack.answer() == Attack.Answer.IF_ANY) {
                silent.incrementAndGet();
            } else {
                failures.add("no answer within " + LONGEST + "\n  " + line(attack));
            }
        } catch (IOException cut) {
            boolean isRequest = attack.answer() != Attack.Answer.IF_ANY;
            if (isRequest && kept.isPresent()) {
                // The agent may give up an old connection at any time: once more, on a new one.
                connection.close();
                return send(attack, Optional.empty());
            }
            if (isRequest) {
                String took = (System.nanoTime() - begin) / 1_000_000 + " ms";
                failures.add(cut + " after " + took + "\n  " + line(attack));
            }
        } finally {
            if (!goesOn) {
                connection.close();
            }
        }
        return goesOn ? Optional.of(connection) : Optional.empty();
    }

    private boolean exchange(Attack attack, RawConnection connection) throws IOException {
        boolean isRequest = attack.answer() != Attack.Answer.IF_ANY;
        connection.within(isRequest ? LONGEST : SHORT);
        connection.send(attack.bytes());
        if (!isRequest) {
            connection.endInput();
            look(attack, new RawConnection.Reply(0, Map.of(), connection.rest()));
            return false;
        }
        if (attack.answer() == Attack.Answer.CUT) {
            look(attack, connection.head());
            return false;
        }
        boolean toHead = attack.bytes()[0] == 'H' && attack.bytes()[1] == 'E';
        RawConnection.Reply reply = connection.answer(toHead);
        look(attack, reply);
        return !reply.isLast();
    }

    private void look(Attack attack, RawConnection.Reply reply) throws IOException {
        statuses.computeIfAbsent(reply.status(), any -> new AtomicInteger()).incrementAndGet();
        if (reply.body().contains("internal error")) {
            internal.putIfAbsent(attack.route() + ": " + first(reply.body()), line(attack));
            boolean isNamed = reply.headers().containsKey("x-request-id")
                    || reply.body().toLowerCase(Locale.ROOT).contains("x-request-id");
            if (!isNamed) {
                failures.add("an internal error without a request id\n  " + line(attack));
            }
        }
    }

    private static String first(String body) {
        return body.lines().findFirst().orElse("").replaceAll("[0-9a-f-]{8,}", "#");
    }

    /** The request as one line that sends it again. */
    private String line(Attack attack) throws IOException {
        String line = attack.kind() + " " + attack.route() + ": " + attack.line();
        if (line.length() <= LONGEST_LINE) {
            return line;
        }
        Files.createDirectories(saved);
        Path file = Files.createTempFile(saved, "request", ".http");
        Files.write(file, attack.bytes());
        return attack.kind() + " " + attack.route() + ": socat -t 30 - UNIX-CONNECT:http.sock <" + file;
    }

    /** What was wrong with answers; empty if nothing was. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Internal errors by what they say, each with a request that makes it. */
    Map<String, String> internal() {
        return Map.copyOf(internal);
    }

    /** What each thread sent last: one of them it was that ended the agent. */
    List<String> last() throws IOException {
        List<String> lines = new ArrayList<>();
        for (List<Attack> attacks : sent.values()) {
            for (Attack attack : attacks) {
                lines.add(line(attack));
            }
        }
        return lines;
    }

    /** How often each status came; 0 is what came to no request. */
    String figures() {
        return statuses + ", " + silent + " answered by silence";
    }
}
