package io.cleat.agent.network;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.model.GroupNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The networks that CNI plugins can make on this node: the operator's, by their files, and one. */
final class CniNetworks {
    private static final Logger LOG = LoggerFactory.getLogger(CniNetworks.class);

    /** How many files are looked at. */
    private static final int MOST = 100;

    /** Bytes. */
    private static final int LARGEST = 64 << 10;

    private final CniSettings settings;
    private final CniPlugins plugins;

    CniNetworks(CniSettings settings, CniPlugins plugins) {
        this.settings = settings;
        this.plugins = plugins;
    }

    /** The modes of networks that can be made; of those that cannot, the log says why. */
    List<String> modes() {
        Optional<String> fault = NetworkNamespaces.fault();
        if (fault.isPresent()) {
            LOG.info("no networks of allocations are made here: {}", fault.get());
            return List.of();
        }
        List<String> modes = new ArrayList<>(List.of(GroupNetwork.NONE));
        Optional<String> bridge = bridgeFault();
        if (bridge.isEmpty()) {
            modes.add(GroupNetwork.BRIDGE);
        } else {
            LOG.info("no network of mode bridge is made here: {}", bridge.get());
        }
        configured().forEach((name, network) -> {
            Optional<String> missing = missing(network);
            if (missing.isEmpty()) {
                modes.add(GroupNetwork.CNI + name);
            } else {
                LOG.warn("no network cni/{} is made here: {}", name, missing.get());
            }
        });
        return modes;
    }

    private Optional<String> bridgeFault() {
        return missing(CniNetwork.bridge(settings))
                .or(() -> SystemPrograms.find("iptables").isPresent()
                        ? Optional.empty()
                        : Optional.of("the program iptables is not installed"));
    }

    private Optional<String> missing(CniNetwork network) {
        return network.programs().stream()
                .flatMap(type -> plugins.fault(type).map(fault -> "the CNI plugin " + type + " " + fault).stream())
                .findFirst();
    }

    /**
     * The network of a mode that is neither the node's own nor nothing.
     *
     * @throws KernelTrouble if there is none
     */
    CniNetwork of(String mode) throws KernelTrouble {
        if (mode.equals(GroupNetwork.BRIDGE)) {
            return CniNetwork.bridge(settings);
        }
        String name = mode.substring(GroupNetwork.CNI.length());
        CniNetwork network = configured().get(name);
        if (network == null) {
            throw new KernelTrouble(
                    "no file of " + settings.configs() + " has a CNI network of the name " + TextRule.quoted(name),
                    Effect.NONE,
                    Retry.NEVER);
        }
        return network;
    }

    /** Whether the network of a mode may be checked, as the node has it now. */
    boolean mayCheck(String mode) {
        if (mode.equals(GroupNetwork.BRIDGE)) {
            return true;
        }
        return mode.startsWith(GroupNetwork.CNI)
                && Optional.ofNullable(configured().get(mode.substring(GroupNetwork.CNI.length())))
                        .filter(CniNetwork::mayCheck)
                        .isPresent();
    }

    /** Those of files whose plugins undo what nobody has any more. */
    List<CniNetwork> collected() {
        return configured().values().stream().filter(CniNetwork::mayCollect).toList();
    }

    /** By name; of two files with one name the first counts, in the order of the files' names. */
    private Map<String, CniNetwork> configured() {
        Map<String, CniNetwork> networks = new TreeMap<>();
        for (Path file : files()) {
            try {
                if (Files.size(file) > LARGEST) {
                    throw new CniNetwork.Unusable("has more than " + LARGEST + " bytes");
                }
                CniNetwork network = CniNetwork.read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                if (networks.putIfAbsent(network.name(), network) != null) {
                    LOG.warn("{} has the name of another network, {}", file, network.name());
                }
            } catch (CniNetwork.Unusable fault) {
                LOG.warn("{} is no CNI network: it {}", file, fault.getMessage());
            } catch (IOException unreadable) {
                LOG.warn("{} cannot be read: {}", file, unreadable.toString());
            }
        }
        return networks;
    }

    private List<Path> files() {
        if (!Files.isDirectory(settings.configs())) {
            return List.of();
        }
        try (Stream<Path> listed = Files.list(settings.configs())) {
            return listed.filter(file -> file.toString().matches(".*\\.(conflist|conf|json)"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .limit(MOST)
                    .toList();
        } catch (IOException unreadable) {
            LOG.warn("{} cannot be read: {}", settings.configs(), unreadable.toString());
            return List.of();
        }
    }
}
