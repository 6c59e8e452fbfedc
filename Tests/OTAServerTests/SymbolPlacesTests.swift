import Access
import SiteServices
import Symbols
import Testing
import Uploads

@testable import API

/// How many resources incoming dSYM archives may use.
struct SymbolPlacesTests {
    private static func place(_ uploader: String, _ address: String) -> SymbolPlaces.Place {
        SymbolPlaces.Place(uploader: uploader, network: Guesser(at: "symbols", from: address))
    }

    @Test func `one publisher, one network and all have their share, and leave the others theirs`()
        throws
    {
        var limits = SymbolUploadLimits()
        (limits.ofOne, limits.ofNetwork, limits.all) = (2, 3, 4)
        let places = SymbolPlaces(limits: limits)
        let ana = Self.place("ana", "192.0.2.1")
        try places.enter(ana)
        try places.enter(ana)
        #expect(throws: SymbolRefusal.tooManyAtOnce(limit: 2)) { try places.enter(ana) }
        let beside = Self.place("ben", "192.0.2.1")
        try places.enter(beside)
        #expect(throws: Refusal.overloaded) { try places.enter(beside) }
        let far = Self.place("ben", "198.51.100.1")
        try places.enter(far)
        #expect(throws: Refusal.overloaded) { try places.enter(Self.place("carl", "203.0.113.1")) }
        places.leave(ana)
        try places.enter(Self.place("carl", "203.0.113.1"))
        #expect(throws: Refusal.overloaded) { try places.enter(ana) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `what comes too slowly is ended, and what comes fast enough is not`() async throws {
        var limits = SymbolUploadLimits()
        (limits.rate, limits.pace) = (1000, .milliseconds(50))
        let slow = SymbolPace()
        let end = try await slow.watch(limits) {
            do {
                try await Task.sleep(for: .seconds(3600))
                return "whole"
            } catch {
                return "cut"
            }
        }
        #expect(end == "cut" && slow.wasTooSlow)
        limits.pace = .seconds(3600)
        let fast = SymbolPace()
        #expect(try await fast.watch(limits) { "whole" } == "whole")
        #expect(!fast.wasTooSlow)
    }
}
