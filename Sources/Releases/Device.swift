package import Bundles
package import Foundation
package import Inspection

/// One entry of the device register.
package struct Device: Codable, Sendable, Equatable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// The team wants it; the developer account may not have it yet.
        case approved
        /// The developer account has it.
        case registered
        /// Taken out of use. Its slot stays used until the membership year ends.
        case disabled
    }

    package let udid: DeviceUDID
    package var name: String
    package var family: ProductFamily
    /// The product type, such as `iPhone15,2`, where it is known.
    package var model: String?
    package var os: OSVersion?
    package var state: State
    package let added: Date
    /// When ``state`` became what it is.
    package var stateSince: Date

    package init(
        udid: DeviceUDID,
        name: String,
        family: ProductFamily,
        model: String? = nil,
        os: OSVersion? = nil,
        state: State = .approved,
        added: Date,
    ) {
        self.udid = udid
        self.name = name
        self.family = family
        self.model = model
        self.os = os
        self.state = state
        self.added = added
        stateSince = added
    }

    /// What a verdict needs to know of it.
    package var facts: DeviceFacts {
        DeviceFacts(udid: udid, family: family.deviceFamily, os: os, model: model)
    }
}
