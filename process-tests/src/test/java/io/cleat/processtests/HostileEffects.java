package io.cleat.processtests;

import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.NodeEffects;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What a hostile plugin does in the place of staging or publishing: the volume's id says which, as
 * {@code stage-link_to_directory-...}. What it leads others to is the directory of the volume's name below
 * {@code victims}. Everything else is an ordinary bind of a directory of the pool.
 */
final class HostileEffects implements NodeEffects {
    /** What is put in a path's place, or mounted in excess. */
    enum Kind {
        NOTHING,
        LINK_TO_DIRECTORY,
        LINK_TO_FILE,
        LINK_UP,
        LINK_AFTERWARDS,
        FILE,
        FIFO,
        SOCKET,
        DEVICE,
        TWICE,
        TWELVE_TIMES,
        BESIDE,
        OVER_PARENT,
        INSIDE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int SWAPS = 400;

    private final Path pool;
    private final Path victims;
    private final Mounts mounts = Mounts.linux();

    HostileEffects(Path pool, Path victims) {
        this.pool = pool;
        this.victims = victims;
    }

    private static Kind kind(String volume, String call) {
        String[] parts = volume.split("-", -1);
        return parts[0].equals(call) ? Kind.valueOf(parts[1].toUpperCase(Locale.ROOT)) : Kind.INSIDE;
    }

    @Override
    public void stage(NodeStageVolumeRequest request) throws IOException {
        String volume = request.getVolumeId();
        act(
                volume.startsWith("stage-"),
                kind(volume, "stage"),
                volume,
                files(volume),
                Path.of(request.getStagingTargetPath()));
    }

    @Override
    public void publish(NodePublishVolumeRequest request) throws IOException {
        String volume = request.getVolumeId();
        Path target = Path.of(request.getTargetPath());
        if (!Files.exists(target)) {
            Files.createDirectory(target);
        }
        act(volume.startsWith("publish-"), kind(volume, "publish"), volume, files(volume), target);
    }

    private Path files(String volume) throws IOException {
        return Files.createDirectories(pool.resolve(volume));
    }

    private void act(boolean isHostile, Kind kind, String volume, Path from, Path at) throws IOException {
        if (!isHostile) {
            bind(from, at);
            return;
        }
        Files.write(pool.resolve("asked-" + volume), new byte[0]);
        Path victim = victims.resolve(volume);
        Path parent = Objects.requireNonNull(at.getParent());
        switch (kind) {
            case NOTHING -> {}
            case LINK_TO_DIRECTORY -> link(at, victim);
            case LINK_TO_FILE -> link(at, victim.resolve("secret"));
            case LINK_UP -> link(at, Path.of("../../../../../../../../../..", victim.toString()));
            case LINK_AFTERWARDS -> {
                bind(from, at);
                swapAgainAndAgain(at, victim);
            }
            case FILE -> {
                Files.delete(at);
                Files.writeString(at, "a file");
            }
            case FIFO -> make(at, "mkfifo", at.toString());
            case SOCKET -> {
                Files.delete(at);
                Path near = pool.resolve("s");
                Files.deleteIfExists(near);
                ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                socket.bind(UnixDomainSocketAddress.of(near));
                Files.move(near, at);
            }
            case DEVICE -> make(at, "mknod", at.toString(), "b", "7", "0");
            case TWICE -> bindTimes(from, at, 2);
            case TWELVE_TIMES -> bindTimes(from, at, 12);
            case BESIDE -> {
                bind(victim, Files.createDirectories(at.resolveSibling(volume + "-beside")));
                bind(from, at);
            }
            case OVER_PARENT -> {
                bind(from, at);
                Path shown = Files.createDirectories(pool.resolve("over-" + volume));
                Files.createDirectories(shown.resolve(at.getFileName()));
                bind(shown, parent);
                bind(victim, parent.resolve(at.getFileName()));
            }
            case INSIDE -> {
                bind(from, at);
                bind(victim, Files.createDirectories(from.resolve("inside")));
                bind(victim, at.resolve("inside"));
            }
        }
    }

    private static void link(Path at, Path to) throws IOException {
        Files.delete(at);
        Files.createSymbolicLink(at, to);
    }

    private void bindTimes(Path from, Path at, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            bind(from, at);
        }
    }

    private void bind(Path from, Path at) throws IOException {
        try {
            mounts.bind(from, at);
        } catch (KernelTrouble trouble) {
            throw new IOException(trouble.reason(), trouble);
        }
    }

    private static void make(Path at, String... command) throws IOException {
        Files.delete(at);
        try {
            new ProcessBuilder(command).start().waitFor();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** A link and the mount take each other's place, from before the agent looks until after. */
    private static void swapAgainAndAgain(Path at, Path victim) throws IOException {
        Path aside = at.resolveSibling(at.getFileName() + "-aside");
        Path link = Files.createSymbolicLink(at.resolveSibling(at.getFileName() + "-link"), victim);
        Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < SWAPS; i++) {
                try {
                    Files.move(at, aside);
                    Files.move(link, at);
                    TimeUnit.MILLISECONDS.sleep(10);
                    Files.move(at, link);
                    Files.move(aside, at);
                    TimeUnit.MILLISECONDS.sleep(10);
                } catch (IOException | InterruptedException lost) {
                    return;
                }
            }
        });
    }

    @Override
    public void unstage(NodeUnstageVolumeRequest request) {
        detach(Path.of(request.getStagingTargetPath()));
    }

    @Override
    public void unpublish(NodeUnpublishVolumeRequest request) throws IOException {
        Path target = Path.of(request.getTargetPath());
        detach(target);
        if (!Files.isDirectory(target, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(target);
        }
    }

    private void detach(Path path) {
        try {
            mounts.detach(path);
        } catch (KernelTrouble notMounted) {
            // Nothing was, or the agent has undone it.
        }
    }
}
