package import Releases

/// Which devices of the register the admin wants to see.
package struct DeviceQuery: Sendable, Equatable {
    package enum Show: String, Sendable, CaseIterable {
        case all = ""
        case enrolled, approved, registered, disabled

        var title: String {
            switch self {
            case .all: "Active"
            case .enrolled: "Pending"
            case .approved: "Not yet at Apple"
            case .registered: "Registered"
            case .disabled: "Disabled"
            }
        }

        package func includes(_ device: Device) -> Bool {
            switch self {
            case .all: device.state != .disabled
            case .enrolled: device.state == .enrolled
            case .approved: device.state == .approved
            case .registered: device.state == .registered
            case .disabled: device.state == .disabled
            }
        }
    }

    package let show: Show
    package let search: String

    package init(show: Show = .all, search: String = "") {
        self.show = show
        self.search = search
    }

    /// Whether a device is one of those, by its name, model, system or team.
    package func matches(_ device: Device) -> Bool {
        show.includes(device) && isFound(device)
    }

    private func isFound(_ device: Device) -> Bool {
        let words = search.lowercased().split(separator: " ")
        guard !words.isEmpty else { return true }
        let named = [device.name, device.kind, device.model ?? "", device.team ?? ""]
        let text = (named + device.furtherTeams)
            .joined(separator: " ").lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
