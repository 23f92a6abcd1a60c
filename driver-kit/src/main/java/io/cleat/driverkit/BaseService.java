package io.cleat.driverkit;

import io.cleat.driverschema.BasePluginGrpc;
import io.cleat.driverschema.ConfigSchemaRequest;
import io.cleat.driverschema.ConfigSchemaResponse;
import io.cleat.driverschema.PluginInfoRequest;
import io.cleat.driverschema.PluginInfoResponse;
import io.cleat.driverschema.PluginType;
import io.cleat.driverschema.SetConfigRequest;
import io.cleat.driverschema.SetConfigResponse;
import io.grpc.stub.StreamObserver;

/** What the program is, and its settings. */
final class BaseService extends BasePluginGrpc.BasePluginImplBase {
    /** The one version of drivers that there is. */
    private static final String API_VERSION = "v0.1.0";

    private final PluginDriver driver;

    BaseService(PluginDriver driver) {
        this.driver = driver;
    }

    @Override
    public void pluginInfo(PluginInfoRequest request, StreamObserver<PluginInfoResponse> to) {
        Calls.answer(
                to,
                () -> PluginInfoResponse.newBuilder()
                        .setType(PluginType.DRIVER)
                        .addPluginApiVersions(API_VERSION)
                        .setPluginVersion(driver.version())
                        .setName(driver.name())
                        .build());
    }

    @Override
    public void configSchema(ConfigSchemaRequest request, StreamObserver<ConfigSchemaResponse> to) {
        Calls.answer(
                to,
                () -> ConfigSchemaResponse.newBuilder()
                        .setSpec(driver.settings().spec())
                        .build());
    }

    @Override
    public void setConfig(SetConfigRequest request, StreamObserver<SetConfigResponse> to) {
        Calls.answer(to, () -> {
            driver.configure(
                    new BlockValues(Unpacked.block(request.getMsgpackConfig().toByteArray())));
            return SetConfigResponse.getDefaultInstance();
        });
    }
}
