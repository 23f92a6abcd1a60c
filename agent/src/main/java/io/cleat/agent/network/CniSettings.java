package io.cleat.agent.network;

import java.nio.file.Path;
import java.util.List;

/**
 * What an operator says of the networks that CNI plugins make.
 *
 * @param configs the directory of the networks' files
 * @param programs the directories of the plugins' programs, the first counts
 * @param bridge the interface behind which allocations of mode {@code bridge} are
 * @param subnet from which those get their addresses
 * @param subnet6 likewise of IPv6; empty for none
 * @param mtu bytes of the longest packet on those interfaces; 0 for what the kernel gives them
 */
public record CniSettings(Path configs, List<Path> programs, String bridge, String subnet, String subnet6, int mtu) {
    public static final CniSettings USUAL = new CniSettings(
            Path.of("/opt/cni/config"),
            List.of(Path.of("/opt/cni/bin"), Path.of("/usr/lib/cni")),
            "cleat",
            "172.26.64.0/20",
            "",
            0);

    public CniSettings {
        programs = List.copyOf(programs);
    }
}
