package io.cleat.image;

import io.cleat.artifact.CheckedHttp;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that gets one image from a registry: says what the image is, downloads the layers that are wanted, and
 * ends; also when its input ends, for then its agent has, or wants it no more.
 */
public final class PullMain {
    /** Bytes a second. */
    private static final int SLOWEST = 1 << 10;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private PullMain() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        PullOrder order = PullOrder.read(in);
        CheckedHttp.begin(order.allowed());
        Threads threads = Threads.platform((thread, fault) -> {
            fault.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        run(order, in, out, threads, PAUSE);
        Runtime.getRuntime().halt(0);
    }

    static void run(PullOrder order, DataInputStream in, DataOutputStream out, Threads threads, Duration pause)
            throws IOException, InterruptedException {
        Time time = new SystemTime();
        Deadline deadline = Deadline.in(time, order.time());
        AtomicLong received = new AtomicLong();
        AtomicBoolean slow = new AtomicBoolean();
        CheckedHttp http = new CheckedHttp(order.allowed());
        Thread guard = threads.vitalWork(
                "image/deadline", () -> watch(time, deadline, order.patience(), received, slow, http));
        try (http) {
            pull(order, http, in, out, new RegistryClient.Pace(time, deadline, pause, received, slow));
            out.writeByte(Wire.DONE);
        } catch (ArtifactTrouble trouble) {
            fail(out, trouble.reason(), !trouble.retry().equals(Retry.NEVER));
        } catch (EOFException agentIsGone) {
            return;
        } catch (IOException failed) {
            fail(out, "it could not be downloaded here: " + failed.getMessage(), true);
        } finally {
            guard.interrupt();
        }
        out.flush();
    }

    /** Ends what comes too slowly: a read that waits for the rest of a body, too. */
    private static void watch(
            Time time, Deadline deadline, Duration patience, AtomicLong received, AtomicBoolean slow, CheckedHttp http)
            throws InterruptedException {
        while (!deadline.isExpired() && !slow.get()) {
            long before = received.get();
            boolean isWhole = deadline.left().compareTo(patience) > 0;
            time.sleep(isWhole ? patience : deadline.left());
            slow.set(isWhole && received.get() - before < SLOWEST * patience.toSeconds());
        }
        http.close();
    }

    private static void fail(DataOutputStream out, String why, boolean again) throws IOException {
        out.writeByte(Wire.FAILED);
        Wire.write(out, why);
        out.writeBoolean(again);
    }

    private static void pull(
            PullOrder order, CheckedHttp http, DataInputStream in, DataOutputStream out, RegistryClient.Pace pace)
            throws IOException, ArtifactTrouble, InterruptedException {
        RegistryClient client = new RegistryClient(http, order.host(), order.path(), order.login(), pace);
        RegistryFiles files = new RegistryFiles(client, order.directory(), order.reference(), order.most());
        ImageManifest manifest = ImageManifest.read(files);
        out.writeByte(Wire.IMAGE);
        Wire.write(out, manifest.id().hex());
        Wire.write(out, manifest.facts());
        out.flush();
        for (int left = in.readInt(); left > 0; left--) {
            files.download(manifest.layers().get(in.readInt()));
        }
    }
}
