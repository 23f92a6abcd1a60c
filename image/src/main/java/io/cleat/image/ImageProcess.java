package io.cleat.image;

import io.cleat.artifact.ConfinedJava;
import io.cleat.artifact.ConfinedWords;
import io.cleat.artifact.Confinement;
import io.cleat.base.Threads;
import io.cleat.kernel.Overlays;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A running process that works on one image, seen from the agent: it says what the image is, is told which layers are
 * wanted, and gets or unpacks them. It is killed when it is not wanted any more.
 */
final class ImageProcess {
    private static final int HEAP_MB = 512;

    /** Both compilers: what the first alone makes digests some 60 MB a second. */
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=4");

    private final Process process;
    private final Answers answers;
    private final Order order;
    private final Optional<OfferedFiles> files;
    private final Thread talker;
    private final ConfinedWords words;
    private volatile boolean done;
    private volatile @Nullable String failure;
    private volatile boolean again = true;

    /** Who waits for the image, on the thread that talks to the process. */
    interface Answers {
        /**
         * What the image is.
         *
         * @return the layers that are wanted; none if all are there
         */
        Set<Digest> image(Digest id, ImageFacts facts) throws InterruptedException;

        /**
         * A layer is there, below the directory, by its digest.
         *
         * @param leftOut device files that it has
         */
        void unpacked(Digest layer, List<String> leftOut);
    }

    /**
     * How it ended.
     *
     * @param why empty if all is there
     * @param again whether a later try may help
     */
    record End(Optional<String> why, boolean again) {}

    /** What it is told first. */
    interface Order {
        void write(DataOutputStream to) throws IOException;
    }

    /**
     * What is run, and where.
     *
     * @param main of this program
     * @param confinement what keeps it in
     * @param directory an empty one, which becomes the process's
     * @param largest bytes of any file that it makes
     */
    record Setup(Class<?> main, Confinement confinement, Path directory, long largest) {}

    /**
     * Starts it.
     *
     * @param files those that it may ask for; empty for none
     */
    ImageProcess(Setup setup, Order order, Optional<OfferedFiles> files, Answers answers, Threads given)
            throws IOException {
        // Who reads a pipe holds up what carries virtual threads.
        Threads threads = Threads.platform(given.faults());
        this.answers = answers;
        this.order = order;
        this.files = files;
        this.process = new ConfinedJava(setup.main(), HEAP_MB, OPTIONS)
                .start(Optional.of(setup.confinement()), setup.directory(), setup.largest(), List.of());
        this.talker = threads.contained("images/answers", this::talk, fault -> process.destroyForcibly());
        this.words = new ConfinedWords(process, threads);
    }

    /** Ends it at once. */
    void cancel() {
        process.destroy();
    }

    /** Kills it, should it not end when it was told to. */
    void kill() {
        process.destroyForcibly();
    }

    /** Whether it has ended within a time. */
    boolean hasEnded(Duration within) throws InterruptedException {
        return talker.join(within);
    }

    /** How it ended, which it has. */
    End end() throws InterruptedException {
        int code = process.waitFor();
        String said = words.await();
        String why = failure;
        if (done && why == null) {
            return new End(Optional.empty(), false);
        }
        return why == null
                ? new End(Optional.of(unanswered(code, said)), code != ConfinedJava.OUT_OF_MEMORY)
                : new End(Optional.of(why), again);
    }

    private String unanswered(int code, String said) {
        if (code == ConfinedJava.UNCONFINED && !said.isEmpty()) {
            return "the process that reads it could not be confined: " + said;
        }
        return code == ConfinedJava.OUT_OF_MEMORY
                ? "it has more entries than the " + HEAP_MB + " MB of memory that there is for that"
                : "the process that reads it ended with exit code " + code + "; try again";
    }

    private void talk() throws InterruptedException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16))) {
            order.write(out);
            out.flush();
            List<Digest> layers = new ArrayList<>();
            while (!done && failure == null) {
                answer(in, out, layers);
            }
        } catch (EOFException end) {
            // It is gone: its exit code says why.
        } catch (IOException gone) {
            failure = "it could not be read: " + gone.getMessage();
            process.destroyForcibly();
        } finally {
            files.ifPresent(OfferedFiles::close);
        }
    }

    private OfferedFiles files() throws IOException {
        return files.orElseThrow(ImageProcess::strange);
    }

    private void answer(DataInputStream in, DataOutputStream out, List<Digest> layers)
            throws IOException, InterruptedException {
        switch (in.readUnsignedByte()) {
            case Wire.OPEN -> {
                out.writeLong(files().open(Wire.readText(in)));
                out.flush();
            }
            case Wire.READ -> read(in, out);
            case Wire.IMAGE -> {
                Digest id = Digest.ofHex(Wire.readText(in)).orElseThrow(ImageProcess::strange);
                ImageFacts facts = Wire.readFacts(in);
                int count = facts.diffIds().size();
                if (!layers.isEmpty() || count < 1 || count > Overlays.MOST_LAYERS) {
                    throw strange();
                }
                layers.addAll(facts.diffIds());
                Set<Integer> numbers = new TreeSet<>();
                for (Digest wanted : answers.image(id, facts)) {
                    numbers.add(layers.indexOf(wanted));
                }
                out.writeInt(numbers.size());
                for (int number : numbers) {
                    out.writeInt(number);
                }
                out.flush();
            }
            case Wire.LAYER -> {
                int number = in.readInt();
                List<String> leftOut = Wire.readTexts(in);
                if (number < 0 || number >= layers.size()) {
                    throw strange();
                }
                answers.unpacked(layers.get(number), leftOut);
            }
            case Wire.FAILED -> {
                String why = Wire.readText(in);
                again = in.readBoolean();
                failure = why;
            }
            case Wire.DONE -> done = true;
            default -> throw strange();
        }
    }

    private void read(DataInputStream in, DataOutputStream out) throws IOException {
        int number = in.readInt();
        long at = in.readLong();
        int length = in.readInt();
        if (length < 1 || length > Wire.LONGEST_READ) {
            throw strange();
        }
        byte[] bytes = new byte[length];
        int got = files().read(number, at, ByteBuffer.wrap(bytes));
        out.writeInt(got);
        if (got > 0) {
            out.write(bytes, 0, got);
        }
        out.flush();
    }

    private static IOException strange() {
        return new IOException("the process that reads it said what nobody expects");
    }
}
