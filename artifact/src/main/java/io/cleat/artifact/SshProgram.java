package io.cleat.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RemoteSession;
import org.eclipse.jgit.transport.SshSessionFactory;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;

/**
 * Reaches repositories over ssh, with the machine's {@code ssh} program: which hosts are known, and how they are
 * reached, is what its settings say.
 */
final class SshProgram extends SshSessionFactory {
    private final String program;
    private final Path directory;
    private final String key;
    private final String address;

    /**
     * @param program as the machine calls it
     * @param directory for the key, while it is needed
     * @param key a private key in base64; empty if the machine's own are to be used
     * @param address that the host was found to have, and is connected to
     */
    SshProgram(String program, Path directory, String key, String address) {
        this.address = address;
        this.program = program;
        this.directory = directory;
        this.key = key;
    }

    @Override
    public RemoteSession getSession(URIish uri, CredentialsProvider credentials, FS fs, int tms)
            throws TransportException {
        List<String> ssh = new ArrayList<>(List.of(program, "-o", "BatchMode=yes"));
        if (!key.isEmpty()) {
            ssh.addAll(List.of("-o", "IdentitiesOnly=yes", "-i", keyFile().toString()));
        }
        // The program would look the name up once more.
        String known =
                uri.getPort() > 0 && uri.getPort() != 22 ? "[" + uri.getHost() + "]:" + uri.getPort() : uri.getHost();
        ssh.addAll(List.of("-o", "HostName=" + address, "-o", "HostKeyAlias=" + known));
        if (uri.getPort() > 0) {
            ssh.addAll(List.of("-p", Integer.toString(uri.getPort())));
        }
        ssh.add("--");
        ssh.add(uri.getUser() == null ? uri.getHost() : uri.getUser() + "@" + uri.getHost());
        return new Session(ssh);
    }

    private Path keyFile() throws TransportException {
        Path file = directory.resolve("sshkey");
        try {
            if (!Files.exists(file)) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(FreshTree.permissions(0600)));
                // A query turns plus signs into spaces.
                Files.write(file, Base64.getMimeDecoder().decode(key.replace(' ', '+')));
            }
            return file;
        } catch (IOException | IllegalArgumentException failed) {
            throw new TransportException(
                    "the option sshkey is no private key in base64, as `base64 -w0 FILE` gives it", failed);
        }
    }

    @Override
    public String getType() {
        return "program";
    }

    /** One host; each command is a process. */
    private record Session(List<String> ssh) implements RemoteSession {
        @Override
        public Process exec(String command, int timeout) throws IOException {
            List<String> words = new ArrayList<>(ssh);
            words.add(command);
            try {
                return new ProcessBuilder(words).start();
            } catch (IOException absent) {
                throw new IOException("the program ssh cannot be started: install it, or use https", absent);
            }
        }

        @Override
        public void disconnect() {}
    }
}
