import APIDocuments
import ArgumentParser
import Bundles
import Foundation
import Identifiers
import Pages
import Releases

/// The devices to list, and their order.
struct DeviceSelection: ParsableArguments {
    @Option(help: "Only devices in this state: pending, not-at-apple, registered or disabled.")
    var state: State?

    @Option(help: "Only devices of this product family, such as iphone.")
    var family: ProductFamily?

    @Option(help: "Sort by name, model, os, state or since (newest first); default: as added.")
    var sort: Order?

    /// The states by which the devices page filters.
    enum State: String, ExpressibleByArgument, CaseIterable {
        case pending
        case notAtApple = "not-at-apple"
        case registered, disabled

        fileprivate var state: Device.State {
            switch self {
            case .pending: .enrolled
            case .notAtApple: .approved
            case .registered: .registered
            case .disabled: .disabled
            }
        }
    }

    enum Order: String, ExpressibleByArgument, CaseIterable {
        case name, model, os, state, since
    }

    /// Whether a filter or an order was chosen.
    var isGiven: Bool { state != nil || family != nil || sort != nil }

    func applied(to devices: [DeviceEntry]) -> [DeviceEntry] {
        let chosen = devices.filter { device in
            (state == nil || device.state == state?.state)
                && (family == nil || device.family == family)
        }
        return switch sort {
        case nil: chosen
        case .since: chosen.sorted { $0.stateSince > $1.stateSince }
        case .name: Self.sorted(chosen) { $0.name }
        case .model: Self.sorted(chosen) { $0.modelName ?? $0.model ?? "" }
        case .os: Self.sorted(chosen) { $0.os ?? "" }
        case .state: Self.sorted(chosen) { $0.state.words }
        }
    }

    /// Sorted naturally: ignoring case and accents, and with numbers by their value.
    private static func sorted(
        _ devices: [DeviceEntry],
        by text: (DeviceEntry) -> String,
    ) -> [DeviceEntry] {
        devices.map { (FoldedText(text($0)).sortingKey, $0) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
}
