package io.cleat.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.TaskArtifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repositories, fetched over git's real protocols. */
final class GitFetchTest {
    private static final PersonIdent SOMEBODY = new PersonIdent("somebody", "s@example.com");

    @TempDir
    Path directory;

    private Fetches fetches;
    private Git git;
    private Path work;
    private RevCommit first;
    private RevCommit second;

    @BeforeEach
    void begin() throws Exception {
        NoSettings.install();
        fetches = new Fetches(directory);
        work = Files.createDirectory(directory.resolve("work"));
        git = Git.init().setDirectory(work.toFile()).setInitialBranch("main").call();
        Files.createDirectories(work.resolve("site/css"));
        Files.writeString(work.resolve("site/css/a.css"), "one");
        Files.writeString(work.resolve("run.sh"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(work.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(work.resolve("css"), Path.of("site/css"));
        first = commit("first");
        git.tag()
                .setName("v1")
                .setAnnotated(true)
                .setMessage("v1")
                .setTagger(SOMEBODY)
                .call();
        Files.writeString(work.resolve("site/css/a.css"), "two");
        second = commit("second");
        git.branchCreate().setName("release/2").call();
        Files.writeString(work.resolve("site/css/a.css"), "three");
        commit("third");
        fetches.serve("/n.git", new GitServer(git.getRepository(), "")::handle);
        fetches.serve("/private.git", new GitServer(git.getRepository(), "user:token")::handle);
    }

    private RevCommit commit(String message) throws Exception {
        git.add().addFilepattern(".").call();
        return git.commit()
                .setSign(false)
                .setAuthor(SOMEBODY)
                .setCommitter(SOMEBODY)
                .setMessage(message)
                .call();
    }

    @AfterEach
    void end() {
        git.close();
        fetches.close();
    }

    private String source(String more) {
        return "git::" + fetches.url("/n.git") + more;
    }

    @Test
    void theDefaultBranchIsFetchedWithoutHistory() throws Exception {
        Path tree = fetches.fetch(source(""));
        assertEquals(Set.of("css", "run.sh", "site"), names(tree));
        assertEquals("three", Files.readString(tree.resolve("css/a.css")));
        assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(tree.resolve("run.sh"))));
        try (Git fetched = Git.open(tree.resolveSibling("git").toFile())) {
            assertFalse(fetched.getRepository().getObjectDatabase().has(second));
        }
    }

    @Test
    void branchesTagsAndCommitsAreFoundByName() throws Exception {
        Map<String, String> all = Map.of(
                "main",
                "three",
                "release/2",
                "two",
                "v1",
                "one",
                "refs/tags/v1",
                "one",
                first.name(),
                "one",
                second.name().substring(0, 8),
                "two");
        for (Map.Entry<String, String> each : all.entrySet()) {
            Path tree = fetches.fetch(source("//site?depth=1&ref=" + each.getKey()));
            assertEquals(Set.of("css"), names(tree));
            assertEquals(each.getValue(), Files.readString(tree.resolve("css/a.css")));
        }
        String absent = fetches.failure(Fetches.artifact(source("?ref=nowhere")));
        assertTrue(absent.contains("no branch, tag or commit \"nowhere\""), absent);
        assertTrue(absent.contains("main, release/2, v1"), absent);
        String unknown = fetches.failure(Fetches.artifact(source("?ref=" + "0".repeat(40))));
        assertTrue(unknown.contains("no commit \"000"), unknown);
        String file = fetches.failure(Fetches.artifact(source(""), Map.of(), TaskArtifact.Mode.FILE));
        assertTrue(file.contains("a repository is no file"), file);
    }

    @Test
    void credentialsOfTheUrlAreUsedAndNeverShownOrKept() throws Exception {
        String base = "127.0.0.1:" + fetches.port() + "/private.git";
        Path tree = fetches.fetch("git::http://user:token@" + base);
        assertEquals("three", Files.readString(tree.resolve("css/a.css")));
        assertFalse(
                Files.readString(tree.resolveSibling("git").resolve("config")).contains("token"));
        String none = fetches.failure(Fetches.artifact("git::http://" + base));
        assertTrue(none.contains("give a user and a token"), none);
        String wrong = fetches.failure(Fetches.artifact("git::http://user:secret@" + base));
        assertTrue(wrong.contains("give a user and a token"), wrong);
        assertFalse(wrong.contains("secret"), wrong);
    }

    @Test
    void whatIsNoRepositoryIsSaidSo() throws Exception {
        fetches.serve("/page", "<html>".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        String page = fetches.failure(Fetches.artifact("git::" + fetches.url("/page")));
        assertTrue(page.contains("its repository cannot be fetched"), page);
        String path = fetches.failure(Fetches.artifact("git::" + work));
        assertTrue(path.contains("-artifact-path=DIRECTORY"), path);
        Path local = fetches.fetch(Fetches.artifact("git::file://" + work), Fetches.LIMITS, List.of(directory));
        assertEquals("three", Files.readString(local.resolve("css/a.css")));
    }

    private static Set<String> names(Path tree) throws IOException {
        try (Stream<Path> entries = Files.list(tree)) {
            return new TreeSet<>(
                    entries.map(each -> each.getFileName().toString()).toList());
        }
    }
}
