@testable import TesterSite
import Testing

/// How many clients may listen to events at the same time.
struct ListenerLimitsTests {
    @Test func `the pages of one device do not take the places of others`() {
        let limits = ListenerLimits()
        let own = (1...limits.pagesOfOneDevice).map { number in
            EventListener.page(from: "198.51.100.\(number)", of: "a")
        }
        #expect(limits.admit(.page(from: "198.51.100.1", of: "a"), beside: own.dropLast()))
        #expect(!limits.admit(.page(from: "203.0.113.1", of: "a"), beside: own))
        #expect(limits.admit(.page(from: "198.51.100.1", of: "b"), beside: own))
        #expect(limits.admit(.page(from: "198.51.100.1", of: nil), beside: own))
        #expect(limits.admit(.admin, beside: own))
    }

    @Test func `pages of no device are limited by network and together`() {
        var limits = ListenerLimits()
        limits.pages = 3
        limits.pagesOfOneNetwork = 2
        let near = [EventListener](repeating: .page(from: "198.51.100.1", of: nil), count: 2)
        #expect(!limits.admit(.page(from: "198.51.100.1", of: "a"), beside: near))
        let far = EventListener.page(from: "203.0.113.1", of: nil)
        #expect(limits.admit(far, beside: near))
        #expect(!limits.admit(.page(from: "192.0.2.1", of: nil), beside: near + [far]))
        #expect(limits.admit(.admin, beside: near + [far]))
    }
}
