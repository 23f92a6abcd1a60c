@NullMarked
package io.cleat.driverplugin.config;

import org.jspecify.annotations.NullMarked;
