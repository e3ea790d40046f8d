"""Computes with a row for each bond, angle, pair …"""
