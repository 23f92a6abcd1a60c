package io.cleat.fuzz.targets;

import io.cleat.fuzz.Target;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** What shims write into files and answer: the first byte of an input says which of them it is. */
final class ShimWords implements Target {
    private static final int KINDS = 4;

    private final Method state = Hidden.method("kernel.ShimState", "parse", String.class);
    private final Method exit = Hidden.method("kernel.ShimExit", "parse", String.class);
    private final Method reply = Hidden.method("kernel.ShimText", "reply", String.class);
    private final Method status = Hidden.method("kernel.ShimStatus", "of", Hidden.type("kernel.ShimText"));
    private final Method mounts = Hidden.method("kernel.MountTable", "parse", byte[].class);

    @Override
    public String name() {
        return "shim";
    }

    @Override
    public String about() {
        return "files and answers of shims, and the mount table";
    }

    @Override
    public List<byte[]> samples() throws Exception {
        List<byte[]> samples = new ArrayList<>();
        add(samples, 0, Samples.files("shim/samples", "state.v"));
        add(samples, 1, Samples.files("shim/samples", "exit"));
        add(samples, 2, Samples.files("shim/samples", "answer"));
        add(
                samples,
                3,
                List.of(Samples.bytes(
                        "36 35 98:0 /mnt1 /mnt\\0402 rw,noatime shared:1 - ext3 /dev/root rw,errors=continue\n")));
        return samples;
    }

    private static void add(List<byte[]> samples, int kind, List<byte[]> texts) {
        for (byte[] text : texts) {
            samples.add(First.with(kind, text));
        }
    }

    @Override
    public void run(byte[] input) throws Exception {
        byte[] rest = First.rest(input);
        String text = Samples.text(rest);
        switch (First.of(input, KINDS)) {
            case 0 -> Hidden.call(state, null, text);
            case 1 -> Hidden.call(exit, null, text);
            case 2 -> Hidden.call(status, null, Hidden.call(reply, null, text));
            default -> Hidden.call(mounts, null, (Object) rest);
        }
    }
}
