import Cryptography
import Foundation
import OTAServer
import Releases
import Store
import TestSupport
import Testing

struct CapabilityTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private let authority = CapabilityAuthority(key: Array(repeating: 7, count: 32))

    private func withRelease(_ body: (Release) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(
                at: folder.appending(path: "s").path(),
                now: date,
            )
            try body(try TestSite.publish(Array("ipa".utf8), into: store))
        }
    }

    @Test func `it names its release and nothing else`() async throws {
        try await withRelease { release in
            let component = authority.component(for: release, at: date)
            let capability = try authority.verified(component, at: date)
            #expect(capability.opened(release) == release)
            #expect(capability.expires >= date.addingTimeInterval(3600))
            #expect(capability.expires <= date.addingTimeInterval(3600 + 900))
            let plain = component.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
            #expect(plain, "it stands in a URL as it is")
        }
    }

    @Test func `it may be for one device, which is proven with the rest`() async throws {
        try await withRelease { release in
            let ana = "0123456789abcdef01234567"
            let open = authority.component(for: release, at: date)
            let hers = authority.component(for: release, device: ana, at: date)
            let forAll = try authority.verified(open, at: date)
            let forAna = try authority.verified(hers, at: date)
            #expect(forAll.device == nil)
            #expect(forAna.device == ana)
            #expect(forAna.opened(release) == release)
            let bens = authority.component(
                for: release,
                device: "0123456789abcdef01234568",
                at: date,
            )
            #expect(hers != bens)
            // A truncated capability is invalid.
            for index in hers.indices {
                #expect(throws: RefusedCapability.notOurs) {
                    try authority.verified(hers[..<index], at: date)
                }
            }
        }
    }

    @Test func `one of a manifest says so, and is proven with that`() async throws {
        try await withRelease { release in
            for device in [nil, "0123456789abcdef01234567"] {
                let page = authority.component(for: release, device: device, at: date)
                let files = authority.component(
                    for: release,
                    device: device,
                    opensManifest: false,
                    at: date,
                )
                #expect(page != files)
                #expect(try authority.verified(page, at: date).opensManifest)
                let capability = try authority.verified(files, at: date)
                #expect(!capability.opensManifest)
                #expect(capability.opened(release) == release && capability.device == device)
            }
        }
    }

    @Test func `it is the same for a quarter of an hour`() async throws {
        try await withRelease { release in
            let one = authority.component(for: release, at: date)
            #expect(
                authority.component(for: release, at: date.addingTimeInterval(899)) == one
                    || authority.component(for: release, at: date.addingTimeInterval(-899)) == one
            )
            #expect(authority.component(for: release, at: date.addingTimeInterval(1800)) != one)
        }
    }

    @Test func `every altered character is noticed`() async throws {
        try await withRelease { release in
            let component = Array(authority.component(for: release, at: date))
            for index in component.indices {
                for character in "Aa0_-=+/. %" where character != component[index] {
                    var altered = component
                    altered[index] = character
                    #expect(throws: RefusedCapability.notOurs) {
                        try authority.verified(String(altered), at: date)
                    }
                }
                #expect(throws: RefusedCapability.notOurs) {
                    try authority.verified(String(component[..<index]), at: date)
                }
            }
        }
    }

    @Test func `another key's is not ours and an old one is expired`() async throws {
        try await withRelease { release in
            let component = authority.component(for: release, at: date)
            let other = CapabilityAuthority(key: Array(repeating: 8, count: 32))
            #expect(throws: RefusedCapability.notOurs) { try other.verified(component, at: date) }
            #expect(throws: RefusedCapability.expired) {
                try authority.verified(component, at: date.addingTimeInterval(4500))
            }
        }
    }
}
