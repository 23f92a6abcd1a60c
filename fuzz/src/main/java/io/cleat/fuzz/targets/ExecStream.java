package io.cleat.fuzz.targets;

import io.cleat.fuzz.Target;
import io.cleat.kernel.ShimExec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a shim, or whoever has taken its place, answers while a command runs in a task. */
final class ExecStream implements Target {
    /** Less than a socket holds, so that it is written before anybody reads. */
    private static final int MOST = 60_000;

    private final Constructor<?> constructor = Hidden.constructor("kernel.ShimExec", SocketChannel.class);

    @Override
    public String name() {
        return "exec-stream";
    }

    @Override
    public String about() {
        return "frames of a command in a task, as its container may forge them";
    }

    @Override
    public List<byte[]> samples() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(frame("oout"));
        all.writeBytes(frame("eerr"));
        all.writeBytes(frame("x0 0"));
        return List.of(all.toByteArray(), frame("x-1 9"), frame("x"), frame("x 0"), frame("o"));
    }

    private static byte[] frame(String text) {
        byte[] bytes = Samples.bytes(text);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    @Override
    public void run(byte[] input) throws Exception {
        Path directory = Files.createTempDirectory("fz");
        Path path = directory.resolve("s");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(path));
            SocketChannel near = SocketChannel.open(UnixDomainSocketAddress.of(path));
            try (SocketChannel far = listener.accept()) {
                write(far, input);
            }
            read(near);
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    private static void write(SocketChannel far, byte[] input) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(input, 0, Math.min(input.length, MOST));
        while (bytes.hasRemaining()) {
            far.write(bytes);
        }
    }

    private void read(SocketChannel near) throws Exception {
        try (ShimExec exec = (ShimExec) Hidden.make(constructor, near)) {
            boolean isMore = true;
            while (isMore) {
                isMore = exec.next().isPresent();
            }
        }
    }
}
