package io.cleat.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the machine's ssh is asked to do: a script stands for it. */
final class SshProgramTest {
    @TempDir
    Path directory;

    private String said(String uri, String key) throws Exception {
        Path program = Files.writeString(directory.resolve("ssh"), "#!/bin/sh\nprintf '%s|' \"$@\"\ncat sshkey\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Process process = new SshProgram(program.toString(), directory, key, "192.0.2.7")
                .getSession(new URIish(uri), CredentialsProvider.getDefault(), FS.DETECTED, 0)
                .exec("git-upload-pack 'o/n.git'", 0);
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void theKeyIsAFileForTheAgentOnlyAndNobodyIsAsked() throws Exception {
        String key = "-----BEGIN KEY-----\n>>>?\n";
        String base64 = Base64.getEncoder().encodeToString(key.getBytes(UTF_8));
        String said = said("ssh://git@h:2222/o/n.git", base64.replace('+', ' '));
        assertTrue(
                said.startsWith("-o|BatchMode=yes|-o|IdentitiesOnly=yes|-i|"
                        + directory.resolve("sshkey")
                        + "|-o|HostName=192.0.2.7|-o|HostKeyAlias=[h]:2222|-p|2222|--|git@h|git-upload-pack "
                        + "'o/n.git'|"),
                said);
        assertEquals(key, Files.readString(directory.resolve("sshkey")));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("sshkey"))));
    }

    @Test
    void aHostIsNeverTakenForAnOption() throws Exception {
        String said = said("ssh://-oProxyCommand=x/o/n.git", "");
        assertTrue(
                said.startsWith(
                        "-o|BatchMode=yes|-o|HostName=192.0.2.7|-o|HostKeyAlias=-oProxyCommand=x|--|-oProxyCommand=x|"),
                said);
    }

    @Test
    void whatIsNoKeyIsSaidSo() {
        TransportException refused = assertThrows(TransportException.class, () -> said("ssh://git@h/n.git", "x"));
        assertTrue(String.valueOf(refused.getMessage()).contains("base64 -w0 FILE"));
    }
}
