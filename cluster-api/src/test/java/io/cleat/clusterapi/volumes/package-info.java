@NullMarked
package io.cleat.clusterapi.volumes;

import org.jspecify.annotations.NullMarked;
