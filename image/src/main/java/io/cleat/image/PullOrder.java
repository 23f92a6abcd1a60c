package io.cleat.image;

import io.cleat.artifact.AddressRange;
import io.cleat.base.Secret;
import io.cleat.driver.registry.RegistryLogin;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the agent asks of the process that gets an image from a registry. It holds secrets and is only ever in a pipe.
 *
 * @param directory an empty one, which becomes an OCI image layout
 * @param host of the registry, with its port
 * @param path of the repository there
 * @param reference a tag, or a digest
 * @param allowed the addresses of the machine and its link that may be connected to
 * @param most bytes that are downloaded
 * @param patience for so long it may come with less than 1 KiB/s
 */
record PullOrder(
        Path directory,
        String host,
        String path,
        String reference,
        Optional<RegistryLogin> login,
        List<AddressRange> allowed,
        Duration time,
        long most,
        Duration patience) {
    void write(DataOutputStream to) throws IOException {
        Wire.write(to, directory.toString());
        Wire.write(to, host);
        Wire.write(to, path);
        Wire.write(to, reference);
        to.writeBoolean(login.isPresent());
        if (login.isPresent()) {
            Wire.write(to, login.get().user());
            Wire.write(to, login.get().secret().reveal());
        }
        Wire.write(to, allowed.stream().map(AddressRange::toString).toList());
        to.writeLong(time.toMillis());
        to.writeLong(most);
        to.writeLong(patience.toMillis());
    }

    static PullOrder read(DataInputStream from) throws IOException {
        Path directory = Path.of(Wire.readText(from));
        String host = Wire.readText(from);
        String path = Wire.readText(from);
        String reference = Wire.readText(from);
        Optional<RegistryLogin> login = from.readBoolean()
                ? Optional.of(new RegistryLogin(Wire.readText(from), new Secret(Wire.readText(from)), ""))
                : Optional.empty();
        List<AddressRange> allowed = new ArrayList<>();
        for (String each : Wire.readTexts(from)) {
            allowed.add(AddressRange.parse(each).orElseThrow(() -> new IOException(each + " is no range")));
        }
        return new PullOrder(
                directory,
                host,
                path,
                reference,
                login,
                allowed,
                Duration.ofMillis(from.readLong()),
                from.readLong(),
                Duration.ofMillis(from.readLong()));
    }
}
