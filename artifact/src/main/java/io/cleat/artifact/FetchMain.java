package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process that fetches the artifacts of one task: reads an order from its input, answers on its output, and ends;
 * at once when its input ends, for then its agent has, or wants it no more.
 */
public final class FetchMain {
    /** Beside each other; the others wait. */
    private static final int WIDTH = 4;

    /** A fetch sees by itself that it is late, unless it hangs somewhere. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private FetchMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        DataInputStream input = new DataInputStream(System.in);
        FetchOrder order = FetchOrder.read(input);
        CheckedNames.begin(new AddressRule(order.allowed()), new ProxyOfEnvironment(System.getenv()).hosts());
        // Of the kernel: a file that hangs holds up nobody else.
        Threads threads = Threads.platform((thread, fault) -> {
            fault.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        threads.vitalWork("artifact/input", () -> endWith(input));
        Time time = new SystemTime();
        Fetching fetching = new Fetching(order.limits(), order.readable(), order.allowed(), threads, time);
        Semaphore turns = new Semaphore(WIDTH);
        LinkedBlockingQueue<FetchOrder.Answer> answers = new LinkedBlockingQueue<>();
        for (int i = 0; i < order.artifacts().size(); i++) {
            int index = i;
            threads.vitalWork("artifact/" + index, () -> {
                turns.acquire();
                Turn turn = new Turn(index, turns, answers);
                Thread guard = threads.vitalWork("artifact/late/" + index, () -> {
                    time.sleep(order.limits().time().plus(LATE));
                    turn.answer(new Outcome.Failed(
                            Bounds.late(order.limits().time()).reason()));
                });
                turn.answer(outcome(order, index, fetching));
                guard.interrupt();
            });
        }
        try (DataOutputStream output =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)))) {
            for (int left = order.artifacts().size(); left > 0; left--) {
                answers.take().write(output);
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** One artifact's, which ends with its first answer: that of its fetch, or that it is late. */
    private record Turn(
            int index, Semaphore turns, LinkedBlockingQueue<FetchOrder.Answer> answers, AtomicBoolean answered) {
        Turn(int index, Semaphore turns, LinkedBlockingQueue<FetchOrder.Answer> answers) {
            this(index, turns, answers, new AtomicBoolean());
        }

        void answer(Outcome outcome) {
            if (answered.compareAndSet(false, true)) {
                answers.add(new FetchOrder.Answer(index, outcome));
                turns.release();
            }
        }
    }

    private static Outcome outcome(FetchOrder order, int index, Fetching fetching) throws InterruptedException {
        try {
            Path directory = Files.createDirectory(order.directory().resolve(Integer.toString(index)));
            Path root = fetching.fetch(order.artifacts().get(index), directory);
            return new Outcome.Fetched(
                    order.directory().relativize(root).toString(), Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS));
        } catch (ArtifactTrouble trouble) {
            return new Outcome.Failed(trouble.reason());
        } catch (IOException failed) {
            return new Outcome.Failed("it cannot be written here: " + failed.getMessage());
        }
    }

    private static void endWith(InputStream input) {
        try {
            while (input.read() >= 0) {
                // Nothing more is expected.
            }
        } catch (IOException gone) {
            // As at its end.
        }
        Runtime.getRuntime().halt(1);
    }
}
