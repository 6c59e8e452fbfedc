package import Essentials
package import Identifiers

/// A device as the developer account has it.
package struct AccountDevice: Sendable, Equatable {
    /// Whether profiles take it.
    package enum Status: Sendable, Equatable {
        case enabled
        /// Taken out of use; it keeps its slot until the membership year ends.
        case disabled
        /// Apple has not finished with it; profiles leave it out without a word.
        case processing
        /// Apple has put it on hold, for 24 to 72 hours as happens to new accounts.
        case ineligible
        /// A word that Apple had not documented.
        case other(String)
    }

    /// What Apple counts slots by, and what a profile may list.
    package enum DeviceClass: Sendable, Equatable {
        case family(ProductFamily)
        /// A word that is no family's, or none.
        case other(String)
    }

    package let id: ResourceID
    /// Nil for an identifier of a form that is not known; such a device is left alone.
    package let udid: DeviceUDID?
    package let name: String
    package let status: Status
    package let deviceClass: DeviceClass
    /// Apple's words for the model, such as `iPhone 14 Pro`.
    package let model: String?
    package let added: Date?

    package var family: ProductFamily? {
        if case .family(let family) = deviceClass { family } else { nil }
    }
}

extension AccountDevice.Status {
    init(word: String) {
        self =
            switch word {
            case "ENABLED": .enabled
            case "DISABLED": .disabled
            case "PROCESSING": .processing
            case "INELIGIBLE": .ineligible
            default: .other(word)
            }
    }
}

extension AccountDevice.DeviceClass {
    init(word: String) {
        self =
            switch word {
            case "IPHONE": .family(.iphone)
            case "IPAD": .family(.ipad)
            case "IPOD": .family(.ipod)
            case "APPLE_WATCH": .family(.watch)
            case "APPLE_TV": .family(.tv)
            case "APPLE_VISION_PRO": .family(.vision)
            // The second and third are in no document of Apple's, and occur.
            case "MAC", "APPLE_SILICON_MAC", "INTEL_MAC": .family(.mac)
            default: .other(word)
            }
    }
}

extension AccountDevice: Decodable {
    private enum AttributeKey: String, CodingKey {
        case name, udid, status, deviceClass, model, addedDate
    }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "devices")
        id = reader.id
        udid = DeviceUDID(try reader.needed(.udid))
        name = reader.text(.name) ?? ""
        status = Status(word: reader.text(.status) ?? "")
        deviceClass = DeviceClass(word: reader.text(.deviceClass) ?? "")
        model = reader.text(.model)
        added = reader.date(.addedDate)
    }
}
