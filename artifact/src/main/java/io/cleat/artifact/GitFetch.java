package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Retry;
import io.cleat.model.ArtifactSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.api.FetchCommand;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.TransportException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the files of one commit of a git repository. Only the commit itself is asked for, and only its files are
 * handed on: no history, no {@code .git}, in whose settings credentials would stay. Nothing of a repository is
 * executed: there are no hooks, filters or settings of anybody.
 */
final class GitFetch {
    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final String FETCHED = "refs/fetched/";
    private static final int LONGEST_TARGET = 4096;
    private static final int FILE_MODE = 0644;
    private static final int PROGRAM_MODE = 0755;

    /** A larger file is never in memory as a whole. */
    private static final int STREAMED_FROM = 1 << 20;

    private final ArtifactSource source;
    private final boolean insecure;
    private final Path directory;
    private final AddressRule addresses;
    private final Bounds bounds;
    private final Deadline deadline;
    private final URIish uri;
    private final @Nullable UsernamePasswordCredentialsProvider credentials;
    private String address = "";
    private long packed;
    private @Nullable ArtifactTrouble refused;

    /** @param directory an empty one, for what is fetched */
    GitFetch(ArtifactSource source, boolean insecure, Path directory, AddressRule addresses, Bounds bounds)
            throws ArtifactTrouble {
        this.source = source;
        this.insecure = insecure;
        this.directory = directory;
        this.addresses = addresses;
        this.bounds = bounds;
        this.deadline = bounds.deadline();
        URIish given;
        try {
            given = new URIish(source.location());
        } catch (URISyntaxException unreadable) {
            throw FreshTree.refused("its URL cannot be read: " + unreadable.getReason());
        }
        String user = given.getUser();
        boolean isWeb = "https".equals(given.getScheme()) || "http".equals(given.getScheme());
        if (isWeb && user != null) {
            String password = given.getPass();
            this.credentials = new UsernamePasswordCredentialsProvider(user, password == null ? "" : password);
            this.uri = given.setUser(null).setPass(null);
        } else {
            this.credentials = null;
            this.uri = given;
        }
    }

    /** Fetches into a new tree. */
    void into(FreshTree tree) throws IOException, ArtifactTrouble {
        String host = uri.getHost();
        if (host != null) {
            addresses.require(host);
            address = InetAddress.getByName(host).getHostAddress();
        } else if (!source.location().startsWith("/") && !source.location().startsWith("file:")) {
            // A path of the agent's own directory, or a URL that the library takes for one.
            throw FreshTree.refused("its source is neither a URL with a host nor an absolute path; expected one"
                    + " such as git::https://host/name.git");
        }
        NoSettings.install();
        try (Git git = Git.init()
                .setBare(true)
                .setDirectory(directory.resolve("git").toFile())
                .call()) {
            Repository repository = git.getRepository();
            StoredConfig config = repository.getConfig();
            config.setBoolean("http", null, "sslVerify", !insecure);
            config.setInt("core", null, "streamFileThreshold", STREAMED_FROM);
            config.save();
            ObjectId commit = fetch(git);
            export(repository, commit, tree);
        } catch (TransportException failed) {
            throw unreachable(failed);
        } catch (GitAPIException failed) {
            throw new ArtifactTrouble("its repository cannot be read: " + failed.getMessage(), Retry.SAME_CALL, failed);
        }
    }

    private ArtifactTrouble unreachable(Exception failed) {
        if (refused != null) {
            return refused;
        }
        if (deadline.isExpired()) {
            return bounds.late();
        }
        Throwable deepest = failed;
        while (deepest.getCause() != null && deepest.getCause().getMessage() != null) {
            deepest = deepest.getCause();
        }
        String words = String.valueOf(deepest.getMessage());
        if (words.contains(Bounds.TOO_LARGE)) {
            return bounds.tooMuchForTheDisk();
        }
        boolean wantsUser = words.contains("uthenti") || words.contains("not authorized");
        return new ArtifactTrouble(
                "its repository cannot be fetched: "
                        + words
                        + (wantsUser ? "; give a user and a token in the URL, or for ssh the option sshkey" : ""),
                Retry.SAME_CALL,
                failed);
    }

    /** Returns the commit that is wanted, which is here then. */
    private ObjectId fetch(Git git) throws GitAPIException, IOException, ArtifactTrouble {
        String wanted = source.options().getOrDefault("ref", "");
        Map<String, Ref> refs = new TreeMap<>();
        Collection<Ref> listed =
                ready(Git.lsRemoteRepository().setRemote(uri.toString())).call();
        listed.forEach(ref -> refs.put(ref.getName(), ref));
        if (refs.isEmpty()) {
            throw FreshTree.refused("its repository is empty");
        }
        String ref = wanted.isEmpty() ? Constants.HEAD : wanted;
        for (String name : List.of(ref, Constants.R_HEADS + ref, Constants.R_TAGS + ref)) {
            if (refs.containsKey(name)) {
                fetch(git, 1, name + ":" + FETCHED + "one");
                return fetched(git, FETCHED + "one", wanted);
            }
        }
        if (COMMIT.matcher(wanted).matches()) {
            try {
                fetch(git, 1, wanted + ":" + FETCHED + "one");
                return fetched(git, wanted, wanted);
            } catch (TransportException notByItself) {
                // Not every server gives commits that no name leads to directly.
                if (deadline.isExpired()) {
                    throw notByItself;
                }
            }
        }
        if (!wanted.matches("[0-9a-f]{7,40}")) {
            throw FreshTree.refused(
                    "its repository has no branch, tag or commit \"" + wanted + "\"; it has " + some(refs.keySet()));
        }
        fetch(git, 0, "+refs/heads/*:" + FETCHED + "heads/*", "+refs/tags/*:" + FETCHED + "tags/*");
        return fetched(git, wanted, wanted);
    }

    private static String some(Collection<String> refs) {
        List<String> names = refs.stream()
                .filter(name -> name.startsWith("refs/"))
                .map(name -> name.replaceFirst("refs/(heads|tags)/", ""))
                .filter(name -> !name.endsWith("^{}") && !name.startsWith("refs/"))
                .limit(10)
                .toList();
        return String.join(", ", names) + (refs.size() > 10 ? " and more" : "");
    }

    private static ObjectId fetched(Git git, String name, String wanted) throws IOException, ArtifactTrouble {
        ObjectId commit = null;
        try {
            commit = git.getRepository().resolve(name + "^{commit}");
        } catch (MissingObjectException absent) {
            // Said below: the name of no commit that is here.
        }
        if (commit == null) {
            throw FreshTree.refused("its repository has no commit \"" + wanted + "\"");
        }
        return commit;
    }

    private void fetch(Git git, int depth, String... specs) throws GitAPIException {
        FetchCommand fetch = ready(git.fetch())
                .setRemote(uri.toString())
                .setTagOpt(TagOpt.NO_TAGS)
                .setProgressMonitor(new Watch())
                .setRefSpecs(Stream.of(specs).map(RefSpec::new).toList());
        if (depth > 0) {
            fetch.setDepth(depth);
        }
        fetch.call();
    }

    private <C extends TransportCommand<C, ?>> C ready(C command) {
        // Of the other side's silence.
        Duration patience = deadline.left().compareTo(bounds.patience()) < 0 ? deadline.left() : bounds.patience();
        C ready = command.setTimeout((int) Math.max(1, patience.toSeconds()));
        if (credentials != null) {
            ready.setCredentialsProvider(credentials);
        }
        return ready.setTransportConfigCallback(transport -> {
            if (transport instanceof SshTransport ssh) {
                ssh.setSshSessionFactory(
                        new SshProgram("ssh", directory, source.options().getOrDefault("sshkey", ""), address));
            }
        });
    }

    private void export(Repository repository, ObjectId id, FreshTree tree) throws IOException, ArtifactTrouble {
        try (RevWalk commits = new RevWalk(repository)) {
            RevCommit commit = commits.parseCommit(id);
            try (TreeWalk walk = new TreeWalk(repository)) {
                walk.addTree(commit.getTree());
                while (walk.next()) {
                    bounds.requireTime();
                    entry(repository, walk, tree);
                }
            }
        }
    }

    private static void entry(Repository repository, TreeWalk walk, FreshTree tree)
            throws IOException, ArtifactTrouble {
        String name = walk.getPathString();
        FileMode mode = walk.getFileMode(0);
        if (mode.equals(FileMode.TREE)) {
            tree.directory(name, PROGRAM_MODE);
            walk.enterSubtree();
        } else if (mode.equals(FileMode.SYMLINK)) {
            ObjectLoader target = repository.open(walk.getObjectId(0));
            tree.link(name, new String(target.getCachedBytes(LONGEST_TARGET), StandardCharsets.UTF_8));
        } else if (mode.equals(FileMode.GITLINK)) {
            // Another repository, of which this one says only where it would be.
            tree.directory(name, PROGRAM_MODE);
        } else {
            try (InputStream content = repository.open(walk.getObjectId(0)).openStream()) {
                int permissions = mode.equals(FileMode.EXECUTABLE_FILE) ? PROGRAM_MODE : FILE_MODE;
                tree.file(name, permissions, null, content);
            }
        }
    }

    /** Ends a fetch that takes too long or brings too much. */
    private final class Watch extends EmptyProgressMonitor {
        @Override
        public boolean isCancelled() {
            try {
                long there = packed();
                bounds.download(Math.max(0, there - packed));
                packed = Math.max(there, packed);
                return false;
            } catch (ArtifactTrouble tooMuch) {
                refused = tooMuch;
                return true;
            }
        }

        /** While it comes, a pack lies beside the directory of packs. */
        private long packed() {
            return bytesIn(directory.resolve("git/objects")) + bytesIn(directory.resolve("git/objects/pack"));
        }

        private static long bytesIn(Path directory) {
            long bytes = 0;
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    bytes += Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
                }
            } catch (IOException moved) {
                // It is looked at again.
            }
            return bytes;
        }
    }
}
