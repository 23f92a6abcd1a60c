package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The part of an agent's configuration that clients read. */
public record AgentConfig(
        Acl ACL,
        Addresses Addresses,
        Addresses AdvertiseAddrs,
        String BindAddr,
        Client Client,
        String DataDir,
        String Datacenter,
        boolean DevMode,
        String LogLevel,
        String NodeName,
        Ports Ports,
        String Region,
        Server Server,
        Ui UI,
        Release Version) {
    /** Access control. */
    public record Acl(boolean Enabled) {}

    /** One address per listener. */
    public record Addresses(String HTTP, String RPC, String Serf) {}

    /** The node part. */
    public record Client(boolean Enabled, String NodeClass, String NodePool) {}

    /** One port per listener. */
    public record Ports(int HTTP, int RPC, int Serf) {}

    /** The server part. */
    public record Server(int BootstrapExpect, boolean Enabled) {}

    /** The web pages. */
    public record Ui(boolean Enabled) {}

    /** The release; {@code Version} has three numbers. */
    public record Release(
            @Nullable Instant BuildDate,
            String Revision,
            String Version,
            String VersionMetadata,
            String VersionPrerelease) {}
}
