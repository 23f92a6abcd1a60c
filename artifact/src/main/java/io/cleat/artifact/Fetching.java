package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.ArtifactChecksum;
import io.cleat.model.ArtifactPacking;
import io.cleat.model.ArtifactSource;
import io.cleat.model.TaskArtifact;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fetches the artifacts of one task: gets each, holds it to its checksum, unpacks it. Any thread. */
public final class Fetching {
    private final FetchLimits limits;
    private final Bounds.Disk disk = new Bounds.Disk();
    private final List<Path> readable;
    private final AddressRule addresses;
    private final Threads threads;
    private final Time time;

    /**
     * @param readable the directories of the machine that artifacts may be taken from
     * @param allowed the addresses of the machine and its link that they may be taken from
     */
    public Fetching(FetchLimits limits, List<Path> readable, List<AddressRange> allowed, Threads threads, Time time) {
        this.addresses = new AddressRule(allowed);
        this.limits = limits;
        this.readable = List.copyOf(readable);
        this.threads = threads;
        this.time = time;
    }

    /**
     * Fetches into a directory that nobody else sees.
     *
     * @param directory an empty one
     * @return what was asked for, in that directory: a file, which is to keep its name, or a directory, whose entries
     *     are meant
     * @throws ArtifactTrouble if it cannot be had; its words hold no secret
     */
    public Path fetch(Artifact artifact, Path directory) throws ArtifactTrouble, InterruptedException {
        Secrecy secrecy = new Secrecy(artifact);
        Bounds bounds = new Bounds(limits, disk, Deadline.in(time, limits.time()));
        try {
            return fetch(artifact.read(), artifact, bounds, directory);
        } catch (Refused refused) {
            throw clean(secrecy, refused.refusal().message(), Retry.NEVER, null);
        } catch (ArtifactTrouble trouble) {
            throw clean(secrecy, trouble.reason(), trouble.retry(), trouble);
        } catch (IOException | RuntimeException failed) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (String.valueOf(failed.getMessage()).contains(Bounds.TOO_LARGE)) {
                throw bounds.tooMuchForTheDisk();
            }
            throw clean(secrecy, words(failed), Retry.SAME_CALL, failed);
        }
    }

    private static ArtifactTrouble clean(Secrecy secrecy, String words, Retry retry, @Nullable Exception cause) {
        ArtifactTrouble clean = new ArtifactTrouble(secrecy.clean(words), retry);
        if (cause != null) {
            clean.setStackTrace(cause.getStackTrace());
        }
        return clean;
    }

    private static String words(Exception failed) {
        String message = failed.getMessage();
        String name = failed.getClass().getSimpleName();
        if (failed instanceof ConnectException) {
            return "its host does not answer there: connection refused" + (message == null ? "" : ": " + message);
        }
        if (failed instanceof UnresolvedAddressException || failed instanceof UnknownHostException) {
            return "its host is not known";
        }
        if (failed instanceof HttpTimeoutException) {
            return "its host gave no answer in time";
        }
        if (failed instanceof FileSystemException file) {
            return "it cannot be written here: " + Objects.requireNonNullElse(file.getReason(), name);
        }
        return "it broke off: " + (message == null ? name : message);
    }

    private Path fetch(ArtifactSource source, Artifact artifact, Bounds bounds, Path directory)
            throws IOException, ArtifactTrouble, InterruptedException {
        return switch (source.kind()) {
            case GIT -> git(source, artifact, bounds, directory);
            case HTTP, FILE -> file(source, artifact, bounds, directory);
        };
    }

    private Path git(ArtifactSource source, Artifact artifact, Bounds bounds, Path directory)
            throws IOException, ArtifactTrouble {
        if (artifact.mode() == TaskArtifact.Mode.FILE) {
            throw FreshTree.refused("a repository is no file: leave mode = \"file\" out, or set it to \"dir\"");
        }
        if (source.location().startsWith("/") || source.location().startsWith("file:")) {
            new LocalFiles(readable).require(source.location().replaceFirst("^file://", ""));
        }
        CheckedConnections.install(addresses);
        FreshTree tree = new FreshTree(directory.resolve("tree"), bounds);
        new GitFetch(source, artifact.insecure(), directory, addresses, bounds).into(tree);
        return finished(tree, source, directory);
    }

    private Path file(ArtifactSource source, Artifact artifact, Bounds bounds, Path directory)
            throws IOException, ArtifactTrouble, InterruptedException {
        String original = nameOf(source.location());
        Path download = directory.resolve("download");
        try (HttpDownload http =
                new HttpDownload(artifact.headers(), artifact.insecure(), addresses, bounds, threads, time)) {
            if (source.kind() == ArtifactSource.Kind.HTTP) {
                http.download(source.location(), download);
            } else {
                Path local = new LocalFiles(readable).require(source.location());
                if (Files.isDirectory(local, LinkOption.NOFOLLOW_LINKS)) {
                    return localDirectory(local, source, artifact, bounds, directory);
                }
                LocalFiles.copy(local, download, bounds);
            }
            String checksum = source.options().get("checksum");
            if (checksum != null) {
                Checking.check(download, original, ArtifactChecksum.parse(checksum), http);
            }
        } catch (Refused refused) {
            throw FreshTree.refused(refused.refusal().message());
        }
        if (packing(source, original).isPresent()) {
            return unpacked(source, artifact, bounds, original, download, directory);
        }
        bounds.keepDownload();
        return plain(source, artifact, original, download, directory);
    }

    private Path plain(ArtifactSource source, Artifact artifact, String original, Path download, Path directory)
            throws IOException, ArtifactTrouble {
        if (artifact.mode() == TaskArtifact.Mode.DIR || !source.subdirectory().isEmpty()) {
            throw FreshTree.refused("\""
                    + original
                    + "\" is not packed, so it is no directory: leave "
                    + (source.subdirectory().isEmpty() ? "mode = \"dir\"" : "the //")
                    + " out, or name its kind with archive in options");
        }
        String name = source.options().getOrDefault("filename", original);
        if (name.isEmpty() || name.equals("..") || name.equals(".")) {
            throw FreshTree.refused("its URL names no file: say what it is to be called with filename in options");
        }
        Path named = Files.createDirectory(directory.resolve("file")).resolve(name);
        Files.move(download, named);
        Files.setPosixFilePermissions(named, FreshTree.permissions(0644));
        return named;
    }

    private Path unpacked(
            ArtifactSource source, Artifact artifact, Bounds bounds, String original, Path download, Path directory)
            throws IOException, ArtifactTrouble {
        ArtifactPacking packing = packing(source, original).orElseThrow();
        boolean isOne = packing.container() == ArtifactPacking.Container.NONE;
        String name = source.options().getOrDefault("filename", ArtifactPacking.nameWithout(original));
        if (isOne && (name.isEmpty() || artifact.mode() == TaskArtifact.Mode.DIR)) {
            throw FreshTree.refused("\"" + original + "\" holds one file, no directory: leave mode = \"dir\" out");
        }
        FreshTree tree = new FreshTree(directory.resolve("tree"), bounds);
        bounds.unpackFrom(Files.size(download));
        Unpacking.unpack(download, packing, name, tree);
        Files.delete(download);
        Path root = finished(tree, source, directory);
        if (isOne) {
            return root.resolve(name);
        }
        return artifact.mode() == TaskArtifact.Mode.FILE ? onlyFile(root) : root;
    }

    private static Path onlyFile(Path root) throws IOException, ArtifactTrouble {
        try (Stream<Path> entries = Files.list(root)) {
            List<Path> all = entries.limit(2).toList();
            if (all.size() == 1 && Files.isRegularFile(all.getFirst(), LinkOption.NOFOLLOW_LINKS)) {
                return all.getFirst();
            }
        }
        throw FreshTree.refused("it holds more than one file, or none: leave mode = \"file\" out");
    }

    private static Optional<ArtifactPacking> packing(ArtifactSource source, String name) throws ArtifactTrouble {
        try {
            return switch (ArtifactPacking.ofOption(source.options().getOrDefault("archive", ""))) {
                case ArtifactPacking.Wish.Never never -> Optional.empty();
                case ArtifactPacking.Wish.ByName byName -> ArtifactPacking.ofName(name);
                case ArtifactPacking.Wish.As(ArtifactPacking packing) -> Optional.of(packing);
            };
        } catch (Refused refused) {
            throw FreshTree.refused(refused.refusal().message());
        }
    }

    private Path localDirectory(Path local, ArtifactSource source, Artifact artifact, Bounds bounds, Path directory)
            throws IOException, ArtifactTrouble {
        if (artifact.mode() == TaskArtifact.Mode.FILE) {
            throw FreshTree.refused(source.location() + " is a directory: leave mode = \"file\" out");
        }
        FreshTree tree = new FreshTree(directory.resolve("tree"), bounds);
        LocalFiles.copyTree(local, tree);
        return finished(tree, source, directory);
    }

    private static Path finished(FreshTree tree, ArtifactSource source, Path directory)
            throws IOException, ArtifactTrouble {
        Path all = directory.resolve("tree");
        Path wanted = all;
        for (Path name : Path.of(source.subdirectory())) {
            wanted = wanted.resolve(name);
            if (!name.toString().isEmpty() && !Files.isDirectory(wanted, LinkOption.NOFOLLOW_LINKS)) {
                throw FreshTree.refused("it has no directory \"" + source.subdirectory() + "\"");
            }
        }
        tree.finish(source.subdirectory());
        return wanted;
    }

    /** The last name of a URL's path. */
    private static String nameOf(String location) {
        String path = location.replaceAll("[?#].*", "").replaceFirst("^[a-z]+://[^/]*", "");
        String name = path.substring(path.lastIndexOf('/') + 1);
        try {
            name = URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException asItIs) {
            return name;
        }
        return name.substring(name.lastIndexOf('/') + 1).replace("\0", "");
    }
}
